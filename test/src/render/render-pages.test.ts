import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Manifest } from '../../../integration/manifest.ts';
import { chapterOf } from '../../../src/book/chapter.ts';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { openDocs } from '../../../src/render/open-docs.ts';
import { renderPages } from '../../../src/render/render-pages.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const names = Array.from({ length: 300 }, (_, index) => `p${String(index).padStart(3, '0')}`);
const text = (title: string, body = '') => `---\ntitle: ${title}\n---\n\nText of ${title}. ${body}\n`;

/** A flat folder of 300 pages; `far` links to a page that does not exist yet. */
function writeDocs(): string {
  const docs = join(temporaryFolder(), 'docs');
  writeFiles(docs, { 'index.md': text('Home') });
  for (const name of names) writeFileSync(join(docs, `${name}.md`), text(name, name === 'p020' ? '[Soon](p150b.md)' : ''));
  return docs;
}

async function exported(source: string, out: string, cache: string | false): Promise<Manifest['files']> {
  await exportDocs({
    ...{ source, out, cache, deployment: 'client-hosted', vendor: false },
    ...{ now: 1_700_000_000_000, environment: {} },
  });
  return (JSON.parse(readFileSync(join(out, 'carrel.json'), 'utf8')) as Manifest).files;
}

test('one more page changes the pages near it and those that link to it, and the files are those of a new export', async () => {
  const docs = writeDocs();
  const [out, cache] = [join(temporaryFolder(), 'out'), temporaryFolder()];
  const before = await exported(docs, out, cache);
  writeFileSync(join(docs, 'p150b.md'), text('p150b'));
  const after = await exported(docs, out, cache);
  expect(after).toEqual(await exported(docs, join(temporaryFolder(), 'out'), false));
  const changed = Object.keys(after).filter((file) => before[file]?.sha256 !== after[file]?.sha256);
  const pages = changed.filter((file) => /^p\d+b?\/index\.html$/.test(file));
  expect(pages).toContain('p020/index.html');
  expect(pages).toContain('p150b/index.html');
  expect(pages.length).toBeLessThanOrEqual(42);
  for (const page of pages) expect(page === 'p020/index.html' || (page > 'p110' && page < 'p190'), page).toBe(true);
  expect(changed.filter((file) => file.startsWith('_carrel/pages/')).length).toBeLessThanOrEqual(2);
  expect(changed.filter((file) => file.startsWith('_carrel/navigation.'))).toHaveLength(1);
  // And back again.
  rmSync(join(docs, 'p150b.md'));
  expect(await exported(docs, out, cache)).toEqual(before);
});

test('the key of a page changes with what the page shows', async () => {
  const docs = writeDocs();
  const keys = async () => new Map(renderPages(await openDocs(docs)).map(({ path, key }) => [path, key]));
  const before = await keys();
  const differing = async () => {
    const after = await keys();
    return [...before].filter(([path, key]) => after.get(path) !== key).map(([path]) => path);
  };
  expect(await differing()).toEqual([]);
  writeFileSync(join(docs, 'p100.md'), text('p100', 'More.'));
  expect(await differing()).toEqual(['p100']);
  writeFileSync(join(docs, 'p100.md'), text('Another title'));
  const titled = await differing();
  expect(titled).toContain('p099');
  expect(titled.length).toBeLessThanOrEqual(42);
});

test('Markdown is rendered once, whatever the navigation around it, and again when one of its links has another target', async () => {
  const docs = writeDocs();
  writeFileSync(join(docs, 'p020.md'), text('p020', '[Soon](xref:soon)'));
  const values = new Map<string, string>();
  let stored: string[] = [];
  const set = (key: string, value: string) => (stored.push(key), void values.set(key, value));
  const built = async (highlightCache?: { get(key: string): string | undefined; set(key: string, value: string): void }) => {
    const pages = renderPages(await openDocs(docs, { highlightCache })).filter(({ path }) => /^p0[12]/.test(path));
    const html: unknown[] = [];
    for (const page of pages) html.push(await page.build());
    return html;
  };
  const cache = { get: (key: string) => values.get(key), set };
  const rendered = () => stored.filter((key) => key.startsWith('markdown-')).length;
  const before = await built(cache);
  expect(rendered()).toBe(20);
  for (const [name, page] of [
    ['p015b', text('One more')],
    ['p150b', '---\nuid: soon\n---\n'],
  ] as const) {
    stored = [];
    writeFileSync(join(docs, `${name}.md`), page);
    const after = await built(cache);
    expect(after).toEqual(await built());
    expect(after).not.toEqual(before);
    // The page that is new, and the one whose link now has a target.
    expect(rendered()).toBe(1);
  }
});

test('a page changes when two of its snippets swap their texts, and when there is a snippet that it may mean', async () => {
  const docs = join(temporaryFolder(), 'docs');
  const [out, cache] = [join(temporaryFolder(), 'out'), temporaryFolder()];
  const imports = 'import First from "./_first.mdx"\nimport Second from "./_second.mdx"\nimport Third from "./_third.mdx"';
  writeFiles(docs, { 'index.mdx': `---\ntitle: Home\n---\n\n${imports}\n\n<First />\n\n<Second />\n` });
  const states = [
    { first: 'One.', second: 'Two.' },
    { first: 'Two.', second: 'One.' },
    { first: 'Two.', second: 'One.', thirds: 'Three.' },
  ];
  for (const snippets of states) {
    for (const [name, body] of Object.entries(snippets)) writeFileSync(join(docs, `_${name}.mdx`), body);
    const result = async (to: string, used: string | false) => {
      const options = {
        source: docs,
        out: to,
        cache: used,
        deployment: 'client-hosted',
        vendor: false,
        environment: {},
      } as const;
      const { warnings } = await exportDocs({ ...options, now: Date.now() + 5000 });
      return { html: readFileSync(join(to, 'index.html'), 'utf8'), warnings };
    };
    expect(await result(out, cache)).toEqual(await result(join(temporaryFolder(), 'out'), false));
  }
});

test('a page whose links have other targets is not taken from a cache', async () => {
  const docs = writeDocs();
  const page = async () => renderPages(await openDocs(docs)).find(({ path }) => path === 'p020')!;
  const before = await page();
  const built = await before.build();
  const { linkTargets = [] } = 'scan' in built ? built.page : built;
  expect(linkTargets).toEqual([['p150b.md', '/p150b']]);
  expect(before.hasTargets!(linkTargets)).toBe(true);
  expect(before.hasTargets!([['p150b.md', '/elsewhere']])).toBe(false);
});

test('pages that threads render ahead are those that are rendered one by one; few changed pages start no thread', async () => {
  const docs = await openDocs(writeDocs(), { now: 1_700_000_000_000 });
  onTestFinished(() => docs.close());
  const { render } = docs.threads;
  let begun = 0;
  docs.threads.render = (...given) => {
    begun++;
    return render(...given);
  };
  const build = async (order: number[]) => {
    const pages = renderPages(docs);
    const built = new Map<string, unknown>();
    for (const index of order) built.set(pages[index]!.path, await pages[index]!.build());
    return built;
  };
  const all = docs.site.pages.map((_, index) => index);
  const alone = await build(all.toReversed());
  await build(all.slice(40, 100));
  expect(begun).toBe(0);
  const ahead = await build(all);
  expect(begun).toBeGreaterThan(200);
  expect(begun).toBeLessThanOrEqual(all.length);
  expect(Object.fromEntries(ahead)).toEqual(Object.fromEntries(alone));
});

test('another definition changes the pages that have the term, and another term all keys', async () => {
  const docs = writeDocs();
  const glossary = (terms: Record<string, string>) =>
    writeFileSync(
      join(docs, 'glossary.json'),
      JSON.stringify({ terms: Object.entries(terms).map(([term, definition]) => ({ term, definition })) }),
    );
  writeFileSync(join(docs, 'p100.md'), text('p100', 'A webhook.'));
  glossary({ webhook: 'A call', other: 'Nowhere' });
  const [out, cache] = [join(temporaryFolder(), 'out'), temporaryFolder()];
  const before = await exported(docs, out, cache);
  const pages = async () => new Map(renderPages(await openDocs(docs)).map((page) => [page.path, page]));
  const built = await (await pages()).get('p100')!.build();
  glossary({ webhook: 'An HTTP call', other: 'Elsewhere' });
  const changed = await pages();
  expect(changed.get('p100')!.hasTargets!('page' in built ? [] : built.linkTargets!)).toBe(false);
  expect(changed.get('p101')!.hasTargets!([])).toBe(true);
  const after = await exported(docs, out, cache);
  // The version is a hash of all files.
  const pageFiles = (files: typeof after) => Object.keys(files).filter((file) => file !== 'carrel.version.js');
  const differing = (files: typeof after) => pageFiles(files).filter((file) => before[file]?.sha256 !== files[file]?.sha256);
  expect(differing(after)).toEqual(['p100/index.html']);
  const read = (file: string) => readFileSync(join(out, file), 'utf8');
  // Neither the Markdown of the page nor the index of search has the definition.
  expect(Object.keys(after).filter((file) => read(file).includes('An HTTP call'))).toEqual(['p100/index.html']);
  const chapter = chapterOf(read('p100/index.html'), { color: () => '', image: () => undefined, link: () => undefined });
  expect(chapter.body).toContain('A <span class="c-tooltip"><span class="c-tooltip-word">webhook</span></span>.');
  glossary({ webhook: 'An HTTP call', flat: 'Elsewhere', p020: 'A page' });
  expect(differing(await exported(docs, out, cache))).toEqual(['p020/index.html', 'p100/index.html']);
});
