import { readdirSync, readFileSync } from 'node:fs';
import type { RendererOptions } from '../../../src/markdown/context.ts';
import { bodyFacts } from '../../../src/source/read-texts.ts';
import type { SourcePage, SourceSnippet } from '../../../src/source/source.ts';

const folder = new URL('../../../fixtures/markdown/', import.meta.url);

/** Names of the fixture pages: `x.mdx` beside `x.html` and `x.out.md`. */
export const fixtureNames = readdirSync(folder)
  .filter((name) => /\.mdx?$/.test(name) && !name.endsWith('.out.md'))
  .sort();

export function fixturePage(name: string): SourcePage {
  return page(readFileSync(new URL(name, folder), 'utf8'), { file: name, kind: name.endsWith('.mdx') ? 'mdx' : 'md' });
}

export function fixtureFile(name: string, extension: string): string {
  return new URL(`${name.replace(/\.mdx?$/, '')}${extension}`, folder).pathname;
}

export function page(body: string, more: Partial<SourcePage> = {}): SourcePage {
  const file = more.file ?? 'guides/page.mdx';
  const path = file.replace(/\.mdx?$/, '');
  return { path, file, frontmatter: {}, body, ...bodyFacts(body), bodyLine: 0, kind: 'mdx', digest: 'digest', ...more };
}

export function snippet(file: string, body: string): [string, SourceSnippet] {
  const kind = /\.[jt]sx$/.test(file) ? 'jsx' : file.endsWith('.mdx') ? 'mdx' : 'md';
  return [file, { file, frontmatter: {}, body, bodyLine: 0, kind, digest: `digest of ${file}` }];
}

export const options: RendererOptions = {
  snippets: new Map([
    snippet('snippets/lamp.mdx', 'A lamp of {power} W in {room}. {children}\n\n```bash\nlight --power {power}\n```\n'),
    snippet('snippets/rooms.mdx', 'export const rooms = { first: "A1", all: ["A1", "A2"] };\n'),
  ]),
  variables: { defined: 'a value' },
  iconLibrary: 'fontawesome',
};
