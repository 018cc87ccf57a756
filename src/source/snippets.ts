import { posix } from 'node:path';

const importable = /\.(mdx?|jsx)$/i;
const mayImport = /\.(?:mdx?|jsx)['"]/i;
const importLine = /^[ \t]*import\s(?:[^'"\n]|\n(?!\s*\n))*?from\s*['"]([^'"\n]+)['"]/gm;
const legacySnippet = /<Snippet\s[^>]*?\bfile=\{?["'`]([^"'`]+)["'`]/g;

/** Whether a file is a snippet by its place. */
export function isInSnippetFolder(file: string): boolean {
  return file.startsWith('snippets/') || file.startsWith('_snippets/');
}

/** Files of the docs folder that a page or snippet imports: Markdown and JSX only. Code fences do not count. */
export function importedFiles(body: string, file: string): string[] {
  const hasImport = body.includes('import ') && mayImport.test(body);
  const hasLegacy = body.includes('<Snippet');
  if (!hasImport && !hasLegacy) return [];
  const text = body.includes('```') || body.includes('~~~') ? withoutFences(body) : body;
  const imported = hasImport
    ? [...text.matchAll(importLine)].map((match) => match[1]!).filter((name) => importable.test(name))
    : [];
  const legacy = hasLegacy ? [...text.matchAll(legacySnippet)].map((match) => `/snippets/${match[1]!}`) : [];
  // An import from outside the folder is told where it would be shown.
  return [...imported, ...legacy].map((name) => resolveImport(name, file)).filter((path) => path !== null);
}

/** The file of the docs folder that an import names, seen from the importing file; null when it leads out of the folder. */
export function resolveImport(specifier: string, from: string): string | null {
  const path = specifier.startsWith('.')
    ? posix.join(posix.dirname(from), specifier)
    : posix.normalize(specifier.replace(/^\/+/, ''));
  return path === '..' || path.startsWith('../') ? null : path.normalize('NFC');
}

/** The body with the lines of code fences blanked, offsets unchanged. */
export function withoutFences(body: string): string {
  let fence: string | null = null;
  const blank = (line: string) => ' '.repeat(line.length);
  return body
    .split('\n')
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
      if (fence === null) {
        if (!mark || (mark[1]!.startsWith('`') && mark[2]!.includes('`'))) return line;
        fence = mark[1]!;
        return blank(line);
      }
      if (mark && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
      return blank(line);
    })
    .join('\n');
}
