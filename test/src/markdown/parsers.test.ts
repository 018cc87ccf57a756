import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseWithRemark } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { readSource } from '../../../src/source/read-source.ts';
import { writeAwkwardSite } from '../../support/awkward-site.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
let awkward: string;

beforeAll(async () => {
  awkward = path.join(await mkdtemp(path.join(tmpdir(), 'carrel-parsers-')), 'awkward');
  await writeAwkwardSite(awkward);
});
afterAll(() => rm(path.dirname(awkward), { recursive: true }));

test.each([
  ...['docs-json-site', 'plain-folder', 'arabic', 'russian', 'cjk', 'versions-languages', 'elsewhere'].map(
    (name) => `fixtures/${name}`,
  ),
  'src/manual',
  'awkward',
])('both parsers give the same result for every page of %s', async (name) => {
  const { pages, snippets } = await readSource(name === 'awkward' ? awkward : path.join(repository, name));
  const shared = { snippets, variables: {}, iconLibrary: 'fontawesome' as const };
  // Behind its guard: deep nesting crashes the fast parser, so remark parses such a page both times.
  const fast = createRenderer(shared);
  const remark = createRenderer({ ...shared, parser: parseWithRemark });
  expect(pages.length).toBeGreaterThan(0);
  for (const page of pages) {
    const { html, markdown, headings, degraded, problems } = await fast.render(page);
    const other = await remark.render(page);
    expect(other.html, page.file).toBe(html);
    expect(other.markdown, page.file).toBe(markdown);
    expect(other.headings, page.file).toEqual(headings);
    expect(other.degraded, page.file).toBe(degraded);
    expect(
      other.problems.map(({ kind, line }) => ({ kind, line })),
      page.file,
    ).toEqual(problems.map(({ kind, line }) => ({ kind, line })));
  }
});
