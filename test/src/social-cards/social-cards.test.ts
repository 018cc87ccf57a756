import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageSize } from 'image-size';
import { expect, test } from 'vitest';
import { type DocsReport, exportDocs } from '../../../src/export/export-docs.ts';
import { filesOf, temporaryFolder } from '../../integration/export/folder.ts';

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30"><rect width="120" height="30" fill="#0f766e"/></svg>';

interface Export {
  report: DocsReport;
  files: Record<string, string>;
  /** The image in the metadata of a page, as a path in the export. */
  card: (page: string) => string | undefined;
  bytes: (path: string) => Buffer;
}

function site(files: Record<string, string>, config: object = {}) {
  const root = temporaryFolder();
  const docs = join(root, 'docs');
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(join(docs, name, '..'), { recursive: true });
    writeFileSync(join(docs, name), text);
  };
  const pages = Object.keys(files).flatMap((name) => /^(.*)\.mdx$/.exec(name)?.[1] ?? []);
  write(
    'docs.json',
    JSON.stringify({
      name: 'Heron',
      colors: { primary: '#0f766e' },
      navigation: { groups: [{ group: 'Birds', pages }] },
      ...config,
    }),
  );
  for (const [name, text] of Object.entries(files)) write(name, text);
  let exports = 0;
  const run = async (cache: string | false = join(root, 'cache')): Promise<Export> => {
    const out = join(root, `site-${(exports += 1)}`);
    const report = await exportDocs({
      ...{ source: docs, out, siteUrl: 'https://docs.example.com/heron', deployment: 'cloud', vendor: false, socialCards: true },
      ...{ cache, environment: {}, now: Date.now() + 1000 },
    });
    const written = filesOf(out);
    return {
      report,
      files: written,
      card: (page) => /property="og:image" content="https:\/\/docs\.example\.com\/heron\/([^"]+)"/.exec(written[page] ?? '')?.[1],
      bytes: (path) => readFileSync(join(out, path)),
    };
  };
  return { run, write };
}

test('each page has a card of 1200 × 630 pixels with a description, and one with an image of its own keeps that', async () => {
  const { run } = site({
    'index.mdx': '---\ntitle: Herons\ndescription: They **wade**.\n---\n\nText.',
    'own.mdx': '---\ntitle: Own\n"og:image": https://example.com/own.png\n---\n\nText.',
  });
  const { files, card, bytes, report } = await run();
  const path = card('index.html')!;
  expect(path).toMatch(/^_carrel\/cards\/[0-9a-f]{20}\.png$/);
  expect(imageSize(bytes(path))).toMatchObject({ type: 'png', width: 1200, height: 630 });
  for (const tag of [
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta property="og:image:alt" content="Herons - Heron">',
    '<meta name="twitter:card" content="summary_large_image">',
  ])
    expect(files['index.html']).toContain(tag);
  expect(files['own/index.html']).toContain('<meta property="og:image" content="https://example.com/own.png">');
  expect(files['own/index.html']).not.toContain('og:image:width');
  expect(Object.keys(files).filter((name) => name.startsWith('_carrel/cards/'))).toEqual([path]);
  expect(report.warnings).toEqual([]);
});

test('cards have the same bytes with and without a cache, and another name when anything on them changes', async () => {
  const { run, write } = site({ 'index.mdx': '# Herons', 'other.mdx': '# Other', 'logo.svg': logo }, { logo: '/logo.svg' });
  const first = await run();
  const second = await run();
  const third = await run(false);
  const path = first.card('index.html')!;
  for (const again of [second, third]) {
    expect(again.card('index.html')).toBe(path);
    expect(again.bytes(path).equals(first.bytes(path))).toBe(true);
  }
  write('logo.svg', logo.replace('0f766e', '9a3412'));
  const withLogo = await run();
  expect(withLogo.card('index.html')).not.toBe(path);
  expect(withLogo.bytes(withLogo.card('index.html')!).equals(first.bytes(path))).toBe(false);
  write('index.mdx', '# Grey herons');
  const renamed = await run();
  expect(renamed.card('index.html')).not.toBe(withLogo.card('index.html'));
  expect(renamed.card('other/index.html')).toBe(withLogo.card('other/index.html'));
});

test('titles that the fonts cannot write are left out of cards, and reported once', async () => {
  const { run } = site({ 'index.mdx': '# Herons', 'ar.mdx': '# تثبيت', 'ja.mdx': '# インストール', 'hi.mdx': '# स्थापना' });
  const { report, card } = await run();
  expect(report.warnings.filter(({ kind }) => kind !== 'language-guessed')).toEqual([
    expect.objectContaining({
      kind: 'social-card-title',
      severity: 'note',
      page: 'ar.mdx',
      message: expect.stringContaining('of 2 more'),
    }),
  ]);
  // All three show the site alone.
  expect(new Set(['ar', 'ja', 'hi'].map((page) => card(`${page}/index.html`))).size).toBe(1);
  expect(card('ar/index.html')).not.toBe(card('index.html'));
});

test('a page has no card without any text or logo to show', async () => {
  const { run } = site({ 'index.mdx': '# تثبيت' }, { name: 'مالك' });
  const { report, card, files } = await run();
  expect(card('index.html')).toBeUndefined();
  expect(files['index.html']).not.toContain('twitter:card');
  const found = report.warnings.find(({ kind }) => kind === 'social-card-title');
  expect(found?.message).toContain('is not drawn');
});

test('a title of 100 KB and one with markup are drawn', async () => {
  const { run } = site({
    'index.mdx': `---\ntitle: ${'W'.repeat(100_000)}\n---\n\nText.`,
    'markup.mdx': '---\ntitle: "<script>alert(1)</script> </text> &amp; {x}"\n---\n\nText.',
  });
  const { card, bytes } = await run();
  for (const page of ['index.html', 'markup/index.html'])
    expect(imageSize(bytes(card(page)!))).toMatchObject({ width: 1200, height: 630 });
  expect(bytes(card('index.html')!).length).toBeLessThan(100_000);
});

test.each([
  ['logo.svg', logo.replace('<rect', '<script>alert(1)</script><image href="/etc/passwd"/><rect'), 'has <script>'],
  ['logo.png', Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex'), 'cannot be drawn'],
])('cards show the name of the site in place of a hostile or broken %s', async (name, contents, fault) => {
  const { run, write } = site({ 'index.mdx': '# Herons' }, { logo: `/${name}` });
  write(name, contents);
  const { report, card } = await run();
  expect(report.warnings.filter(({ kind }) => kind === 'social-card-logo')).toEqual([
    expect.objectContaining({ message: expect.stringContaining(fault) }),
  ]);
  expect(card('index.html')).toBeDefined();
});

test('no cards are drawn where docs.json names an image for all pages', async () => {
  const { run } = site({ 'index.mdx': '# Herons' }, { seo: { metatags: { 'og:image': 'https://example.com/all.png' } } });
  const { report, files } = await run();
  expect(report.warnings.map(({ kind }) => kind)).toEqual(['social-cards-not-used']);
  expect(files['index.html']).toContain('content="https://example.com/all.png"');
  expect(Object.keys(files).filter((name) => name.startsWith('_carrel/cards/'))).toEqual([]);
});
