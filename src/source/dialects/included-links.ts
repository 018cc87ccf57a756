// Links of an included file that begin at this file, as GitBook and DocFX write them. The page that shows them may be in another folder.
import { posix } from 'node:path';
import { encodePath, relativeUrl } from '../../../integration/urls/relative-url.ts';
import { hasIncludes } from './includes.ts';
import { changeProse, type Line } from './lines.ts';

/** The lines of `file` with the links that they have on `page`; both are paths in the docs folder. Code and further includes stay. */
export function withLinksOf(file: string, page: string, lines: Line[]): Line[] {
  return changeProse(lines, (line) => {
    if (hasIncludes.test(line.text)) return line;
    const text = line.text.replace(codeOrLink, (all: string, ...parts: (string | undefined)[]) => {
      const before = parts[1] ?? parts[3];
      return before === undefined ? all : before + moved(all.slice(before.length), file, page);
    });
    return { ...line, text };
  });
}

// Code, or the destination of a link and what precedes it: `](a`, `](<a`, `[id]: a`, `href="a`.
const codeOrLink =
  /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(\]\([ \t]*<|^ {0,3}\[[^\]]+\]:[ \t]*<|\b(?:href|src|url)=["'])([^<>"'\n]*)|(\]\([ \t]*|^ {0,3}\[[^\]]+\]:[ \t]*)([^\s<>()]+)/g;
const isElsewhere = /^(?:[a-z][\w+.-]*:|[/#?]|$)/i;

function moved(url: string, file: string, page: string): string {
  if (isElsewhere.test(url)) return url;
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const target = posix.join(encodePath(posix.dirname(file)), path);
  return target.startsWith('..') ? url : relativeUrl(encodePath(page), target) + rest;
}
