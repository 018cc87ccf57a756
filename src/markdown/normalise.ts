/** Source with what strict MDX refuses and authors write all the same made acceptable. Lines stay where they are. */
export function mdxFriendly(source: string): string {
  return outsideCode(source, (text) =>
    text
      .replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ''))
      .replace(/<(br|hr|img|input|source|track|wbr|col)\b((?:"[^"\n]*"|'[^'\n]*'|\{[^{}\n]*\}|[^<>"'{}])*?)\s*\/?>/gi, '<$1$2 />')
      .replace(/<\/(br|hr|img|input|source|track|wbr|col)\s*>/gi, '')
      .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, '[$1]($1)')
      .replace(/<(?=[\d=\-~|!?(\[.,;:%&*#@]|$)/gm, '\\<')
      .replace(/\{\{[^{}\n]*\}\}/g, (mustache) => mustache.replace(/[{}]/g, '\\$&')),
  );
}

/** Applies `change` to the stretches of a Markdown source that are not code, fenced or inline. */
function outsideCode(source: string, change: (text: string) => string): string {
  let result = '';
  let prose = '';
  let fence: RegExp | undefined;
  for (const line of source.split(/(?<=\n)/)) {
    const open: RegExpExecArray | null = fence ? null : /^[ \t>*+-]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
    if (!fence && !open) {
      prose += line;
      continue;
    }
    if (open) {
      result += outsideInlineCode(prose, change);
      prose = '';
      fence = new RegExp(`^[ \\t>]*${open[1]}[\`~]*\\s*$`);
    } else if (fence?.test(line)) fence = undefined;
    result += line;
  }
  return result + outsideInlineCode(prose, change);
}

function outsideInlineCode(text: string, change: (text: string) => string): string {
  let result = '';
  let last = 0;
  const runs = text.includes('`') ? [...text.matchAll(/`+/g)] : [];
  // The closing run of each length, so that a text of unclosed runs stays linear.
  const later = new Map<number, number[]>();
  runs.forEach((run, i) => later.get(run[0].length)?.push(i) ?? later.set(run[0].length, [i]));
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!;
    const same = later.get(run[0].length)!;
    while (same.length && same[0]! <= i) same.shift();
    const close = runs[same[0] ?? -1];
    if (!close) continue;
    // A code span ends with its paragraph.
    if (/\n[ \t]*\n/.test(text.slice(run.index, close.index))) continue;
    const end = close.index + close[0].length;
    result += change(text.slice(last, run.index)) + text.slice(run.index, end);
    last = end;
    i = same[0]!;
  }
  return result + change(text.slice(last));
}
