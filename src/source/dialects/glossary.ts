// Links to terms of a glossary, as the documentation of Hugo writes them: `[page bundles](g)`.
import { changeProse, type Line } from './lines.ts';

export const hasGlossaryLinks = /\]\(g\)/;

const folders = ['quick-reference/glossary', 'glossary', 'docs/glossary', 'reference/glossary', 'docs/reference/glossary'];

/** Files in which a term can be, in the singular, too. */
export function termFiles(term: string): string[] {
  const name = term
    .replace(/[_*`]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-');
  const names = [name, name.replace(/ies$/, 'y'), name.replace(/es$/, ''), name.replace(/s$/, '')];
  return folders.flatMap((folder) => [...new Set(names)].map((one) => `${folder}/${one}.md`));
}

/** The lines with links to the pages of terms; `fileOf` is the file of a term, if there is one. Others stay. */
export function translateGlossaryLinks(lines: Line[], fileOf: (term: string) => string | undefined): Line[] {
  return changeProse(lines, (line) => {
    if (!hasGlossaryLinks.test(line.text)) return line;
    const text = line.text.replace(/(`+)[^`\n]*\1|\[([^[\]\n]+)\]\(g\)/g, (all: string, _code, term: string | undefined) => {
      const file = term === undefined ? undefined : fileOf(term);
      return file === undefined ? all : `[${term}](/${file})`;
    });
    return { ...line, text };
  });
}
