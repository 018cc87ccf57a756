/** The first paragraph of a page as plain text, at most 300 characters. */
export function firstParagraph(markdown: string): string | undefined {
  const bare = markdown.replace(/^(?:(`{3,}|~{3,}).*\n[\s\S]*?\n\1.*$|:{3,}.*$)/gm, '');
  for (const block of bare.split(/\n\s*\n/)) {
    const text = block.trim();
    if (text === '' || /^(?:[#>|<!\-*+]|\d+[.)]\s|\[[^\]]+\]:|={3}|`{3})/.test(text)) continue;
    const plain = oneLine(
      text
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\*\*|__|`/g, '')
        .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1'),
    );
    if (plain !== '') return shortened(plain, 300);
  }
  return undefined;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Cut between words, where one ends in the second half. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  return `${text.slice(0, space > length / 2 ? space : length - 1).replace(/\p{Surrogate}/gu, '')}…`;
}
