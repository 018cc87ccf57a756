// The modules of a docs folder as a bundler reads them: JSX files, and of a page or an MDX snippet the imports and exports, on their own lines.
import type { ModuleSource } from '../islands/compile.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';
import { readModule } from './modules.ts';
import { parseMarkdown } from './parse.ts';
import { prepare } from './prepare.ts';
import { moduleSource } from './snippet-library.ts';
import { mayDefineComponents, type SnippetUses } from './snippet-uses.ts';
import type { MarkdownNode } from './tree.ts';

type CodeFile = Pick<SourcePage | SourceSnippet, 'file' | 'body'> & { kind: SourceSnippet['kind']; bodyLine?: number };

/** Reads modules by the paths of their files. */
export function createCodeModules(files: ReadonlyMap<string, CodeFile>, uses: Pick<SnippetUses, 'resolve'>) {
  const moduleOf = (path: string): ModuleSource => {
    const found = files.get(path);
    if (!found) return { refused: `There is no file "${path}"` };
    const { file, body, kind, bodyLine = 0 } = found;
    if (kind === 'jsx') return { file: path, code: body, type: /\.tsx$/i.test(file) ? 'tsx' : 'jsx', lineOffset: 0 };
    return {
      file: path,
      code: `${codeOf(found)}\nexport default ({ children }) => children;`,
      type: 'jsx',
      lineOffset: bodyLine,
    };
  };
  return {
    moduleOf,
    resolve(specifier: string, from: string): ModuleSource {
      const found = uses.resolve(specifier, from);
      if ('file' in found) return moduleOf(found.file);
      const reasons = {
        package: `"${specifier}" is a package: components can import React and files of the docs folder only`,
        outside: `"${specifier}" is outside the docs folder`,
        missing: `"${specifier}" was not found in the docs folder`,
      };
      return { refused: reasons[found.refused] };
    },
    /** Whether a file defines components, or anything else that is not plain data. */
    hasComponents(path: string): boolean {
      const found = files.get(path);
      if (!found || !mayDefineComponents(found)) return false;
      return Object.keys(readModule(found.kind === 'jsx' ? found.body : codeOf(found)).functions).length > 0;
    },
  };
}

/** The imports and exports of an MDX file, each on its line. */
function codeOf({ body, kind }: CodeFile): string {
  if (kind !== 'mdx') return '';
  const { tree, invalid } = parseMarkdown(prepare(body, {}), 'mdx');
  if (invalid) return '';
  let code = '';
  let line = 1;
  for (const node of tree.children ?? []) {
    if (node.type !== 'mdxjsEsm') continue;
    const start = node.position?.start.line ?? line;
    if (start > line) code += '\n'.repeat(start - line);
    const text = moduleSource([node satisfies MarkdownNode]);
    code += text;
    line = start + text.split('\n').length - 1;
  }
  return code;
}
