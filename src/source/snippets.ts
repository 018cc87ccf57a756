import { posix } from 'node:path';

const importable = /\.(mdx?|[jt]sx)$/i;
const mayImport = /\.(?:mdx?|[jt]sx)['"]/i;
const importLine = /(?:^|;)[ \t]*import\s(?:[^'"\n]|\n(?!\s*\n)){0,2000}?from\s*['"]([^'"\n]+)['"]/gm;
// Of Mintlify, and of Fern.
const legacySnippet = /<(?:Snippet\s[^>]*?\bfile|Markdown\s[^>]*?\bsrc)=\{?["'`]([^"'`]+)["'`]/g;
const hasLegacySnippet = /<(?:Snippet|Markdown)\s/;

/** Whether a file is a snippet because of its folder. */
export function isInSnippetFolder(file: string): boolean {
  return file.startsWith('snippets/') || file.startsWith('_snippets/');
}

/** The Markdown and JSX files of the docs folder that a page or snippet imports. Imports in code fences are ignored. */
export function importedFiles(body: string, file: string): string[] {
  const hasImport = body.includes('import ') && mayImport.test(body);
  const hasLegacy = hasLegacySnippet.test(body);
  if (!hasImport && !hasLegacy) return [];
  const text = body.includes('```') || body.includes('~~~') ? withoutFences(body) : body;
  const imported = hasImport
    ? [...text.matchAll(importLine)].flatMap(([, name]) => (name && importable.test(name) ? pathOf(name) : []))
    : [];
  const legacy = hasLegacy ? [...text.matchAll(legacySnippet)].map(([, name = '']) => snippetFile(name)) : [];
  // An import from outside the folder is reported where the page uses it.
  return [...imported, ...legacy].map((name) => resolveImport(name, file)).filter((path) => path !== null);
}

/** `import … from '…'`, anywhere in a source. */
export const anyImport =
  /(?:^|;)[ \t]*import\s+(\{[\w$\s,]*\}|[\w$*\s,]{0,400}?(?:\{[\w$\s,]*\})?)\s*from\s*["']([^"'\n]+)["']/gm;

/** The path in an import. Formatters of Markdown escape characters in it: `./\\_part.md`. */
export function pathOf(specifier: string): string {
  return specifier.replace(/\\(.)/g, '$1');
}

/** What a source imports, including what its code fences show: a fast search for what a page may depend on. */
export function specifiersOf(body: string): string[] {
  const imported = body.includes('import') ? [...body.matchAll(anyImport)].map(([, , from = '']) => pathOf(from)) : [];
  if (!hasLegacySnippet.test(body)) return imported;
  return [...imported, ...[...body.matchAll(legacySnippet)].map(([, file = '']) => snippetFile(file))];
}

/** Path of `<Snippet file="x.mdx">` and `<Markdown src="/snippets/x.mdx">`. */
export function snippetFile(file: string): string {
  return file.startsWith('/') || file.startsWith('.') ? file : `/snippets/${file}`;
}

/** Resolves an import, relative to the importing file, to a path in the docs folder; null when it points outside the folder. */
export function resolveImport(specifier: string, from: string): string | null {
  const path = specifier.startsWith('.')
    ? posix.join(posix.dirname(from), specifier)
    : posix.normalize(specifier.replace(/^\/+/, ''));
  return path === '..' || path.startsWith('../') ? null : path.normalize('NFC');
}

/** The body with the lines of code fences replaced by spaces; offsets stay the same. */
export function withoutFences(body: string): string {
  let fence: string | null = null;
  const blank = (line: string) => ' '.repeat(line.length);
  return body
    .split('\n')
    .map((line) => {
      const [, mark, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (fence === null) {
        if (!mark || (mark.startsWith('`') && rest.includes('`'))) return line;
        fence = mark;
        return blank(line);
      }
      if (mark?.startsWith(fence) && rest.trim() === '') fence = null;
      return blank(line);
    })
    .join('\n');
}
