/** The source with common constructs repaired that strict MDX rejects. Lines keep their numbers. */
export function mdxFriendly(source: string): string {
  return outsideCode(source, (text) =>
    text
      .replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ''))
      .replace(/<(br|hr|img|input|source|track|wbr|col)\b((?:"[^"\n]*"|'[^'\n]*'|\{[^{}\n]*\}|[^<>"'{}])*?)\s*\/?>/gi, '<$1$2 />')
      .replace(/<\/(br|hr|img|input|source|track|wbr|col)\s*>/gi, '')
      .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, '[$1]($1)')
      .replace(/<(?=[\d=\-~|!?([.,;:%&*#@]|$)/gm, '\\<')
      .replace(/\{\{[^{}\n]*\}\}/g, (mustache) => mustache.replace(/[{}]/g, '\\$&')),
  );
}

/** Applies `change` to the parts of a Markdown source that are neither fenced nor inline code. */
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
  // The runs of each length, last first: the next one of the same length closes a span. Unclosed runs stay linear this way.
  const later = new Map<number, RegExpExecArray[]>();
  for (const run of runs.toReversed()) {
    const same = later.get(run[0].length);
    if (same) same.push(run);
    else later.set(run[0].length, [run]);
  }
  for (const open of runs) {
    const same = later.get(open[0].length);
    same?.pop();
    const close = same?.at(-1);
    // A code span ends with its paragraph.
    if (open.index < last || !close || /\n[ \t]*\n/.test(text.slice(open.index, close.index))) continue;
    const end = close.index + close[0].length;
    result += change(text.slice(last, open.index)) + text.slice(open.index, end);
    last = end;
  }
  return result + change(text.slice(last));
}
