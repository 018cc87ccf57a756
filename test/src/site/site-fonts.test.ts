import { createServer } from 'node:http';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { download } from '../../../integration/remote/download.ts';
import { findSiteFonts, type SiteFonts } from '../../../src/site/site-fonts.ts';
import { listen } from '../../support/listen.ts';

const { resolve } = createRequire(import.meta.url);
const mono = dirname(resolve('@fontsource/geist-mono/package.json'));
const root = mkdtempSync(join(tmpdir(), 'carrel-fonts-'));
const fontFile = readFileSync(join(mono, 'files/geist-mono-latin-400-normal.woff2'));

const sheetOf = ({ assets }: SiteFonts) => {
  const sheet = assets.find(({ path }) => path === '_carrel/site-fonts.css');
  return sheet && 'contents' in sheet ? String(sheet.contents) : undefined;
};
const paths = ({ assets }: SiteFonts) => assets.map(({ path }) => path);

test('a font file of the docs folder is loaded', async () => {
  const heading = { family: 'Own Sans', source: '/fonts/own sans.woff2', weight: 700 };
  const body = { family: 'Plain', source: './fonts/plain.woff', format: 'woff' as const };
  const fonts = await findSiteFonts({ heading, body }, { root });
  expect(sheetOf(fonts)).toBe(
    '@font-face{font-family:"Own Sans";src:url("/fonts/own%20sans.woff2") format("woff2");font-weight:700;font-display:swap}\n' +
      '@font-face{font-family:"Plain";src:url("/fonts/plain.woff") format("woff");font-weight:100 900;font-display:swap}\n',
  );
  expect(paths(fonts)).toEqual(['_carrel/site-fonts.css']);
});

test('one font for headings and text is loaded once', async () => {
  const fonts = await findSiteFonts({ family: 'Own', source: 'fonts/own.woff2' }, { root });
  expect(sheetOf(fonts)!.match(/@font-face/g)).toHaveLength(1);
});

test('a name cannot leave its quotes', async () => {
  const fonts = await findSiteFonts({ body: { family: 'a"}body{display:none', source: '/x".woff2' } }, { root });
  expect(sheetOf(fonts)).toContain('font-family:"a}body{display:none"');
});

test.each([
  ['none', undefined, undefined],
  ['the built-in font', { body: { family: 'Inter' } }, undefined],
  ['another host', { body: { family: 'Far', source: 'https://fonts.example/far.woff2' } }, 'its file is on an external origin'],
  [
    'another host without its scheme',
    { body: { family: 'Far', source: '//fonts.example/far.woff2' } },
    'its file is on an external origin',
  ],
  ['a name alone', { family: 'Far' }, 'it is neither a file nor a package of the docs folder'],
])('%s loads nothing', async (_, fonts, reason) => {
  const { assets, found, missing } = await findSiteFonts(fonts, { root });
  expect([assets, found.size, missing.get('Far')]).toEqual([[], 0, reason]);
});

test('a family is taken from its package, with its weights and its license', async () => {
  const fonts = await findSiteFonts({ family: 'Geist Mono' }, { root: import.meta.dirname });
  expect([...fonts.found]).toEqual(['Geist Mono']);
  expect(paths(fonts)).toContain('_carrel/fonts/geist-mono-latin-600-normal.woff2');
  expect(paths(fonts)).toContain('_carrel/fonts/geist-mono-LICENSE.txt');
  expect(sheetOf(fonts)).toMatch(
    /@font-face\{font-family:"Geist Mono";src:url\("fonts\/geist-mono-latin-700-normal\.woff2"\) format\("woff2"\);font-weight:700;unicode-range:U\+0000-00FF[^}]*\}/,
  );
  // The family of the rules is the one that docs.json names.
  const inter = await findSiteFonts(
    { family: 'inter', heading: { family: 'Inter', source: '//x.example/a.woff2' } },
    { root: import.meta.dirname },
  );
  expect(inter.missing.get('Inter')).toBe('its file is on an external origin');
});

test('a package of the docs folder that has something else in place of its fonts adds nothing', async () => {
  const folder = join(root, 'node_modules/@fontsource/evil');
  mkdirSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"@fontsource/evil"}');
  writeFileSync(join(root, 'secret.woff2'), 'secret');
  symlinkSync(join(root, 'secret.woff2'), join(folder, 'files/link.woff2'));
  const rule = (url: string) => `@font-face{font-family:Evil;font-weight:400;src:url(${url}) format('woff2')}`;
  writeFileSync(join(folder, '400.css'), rule('./files/link.woff2') + rule('../../../secret.woff2'));
  expect((await findSiteFonts({ family: 'Evil' }, { root })).assets).toEqual([]);
  writeFileSync(join(folder, 'files/page.woff2'), '<html>');
  writeFileSync(join(folder, '400.css'), rule('./files/page.woff2'));
  const fonts = await findSiteFonts({ family: 'Evil' }, { root });
  expect(fonts.missing.get('Evil')).toBe('its file is not a WOFF font');
});

test('a variable font of the docs folder comes before Carrel’s packages', async () => {
  const folder = join(root, 'node_modules/@fontsource-variable/geist-mono');
  mkdirSync(join(folder, 'files'), { recursive: true });
  cpSync(join(mono, 'files/geist-mono-latin-400-normal.woff2'), join(folder, 'files/own.woff2'));
  writeFileSync(join(folder, 'package.json'), '{"name":"@fontsource-variable/geist-mono"}');
  writeFileSync(
    join(folder, 'index.css'),
    "@font-face { font-family: 'Geist Mono Variable'; font-weight: 100 900; src: url(./files/own.woff2) format('woff2-variations'); }",
  );
  const fonts = await findSiteFonts({ family: 'Geist Mono' }, { root });
  expect(sheetOf(fonts)).toBe(
    '@font-face{font-family:"Geist Mono";src:url("fonts/own.woff2") format("woff2");font-weight:100 900;font-display:swap}\n',
  );
});

// Other hosts are played by a server of this machine.
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url!);
  const url = new URL(request.url!, 'http://host');
  const family = url.searchParams.get('family');
  if (family === 'Far+Serif:wght@400;700' || family === 'Far Serif:wght@400;700') {
    const faces = [400, 700].map(
      (weight) =>
        `@font-face {\n  font-family: 'Far Serif';\n  font-style: normal;\n  font-weight: ${weight};\n  src: url(https://fonts.gstatic.com/far-${weight}.woff2) format('woff2');\n  unicode-range: U+0000-00FF;\n}`,
    );
    return response.setHeader('content-type', 'text/css').end(faces.join('\n'));
  }
  if (url.pathname.endsWith('.woff2')) return response.end(url.pathname.includes('html') ? '<html>Sorry</html>' : fontFile);
  response.writeHead(400).end();
});
let address: string;
beforeAll(async () => {
  address = `127.0.0.1:${await listen(server)}`;
});
afterAll(() => server.close());
const fromServer = (url: URL) => download(new URL(url.pathname + url.search, `http://${address}`), { privateHosts: [address] });

test('with a download, a family comes from Google’s stylesheet, in the weights that it has', async () => {
  const fonts = await findSiteFonts({ family: 'Far Serif' }, { root, download: fromServer });
  expect(requests.filter((url) => url.startsWith('/css2')).length).toBeGreaterThan(1);
  const [file] = paths(fonts).filter((path) => path.endsWith('.woff2'));
  expect(file).toMatch(/^_carrel\/fonts\/far-serif\.[0-9a-f]{10}\.woff2$/);
  expect(sheetOf(fonts)!.match(/font-weight:\d+/g)).toEqual(['font-weight:400', 'font-weight:700']);
  expect(sheetOf(fonts)).not.toContain('gstatic');
});

test('with a download, the named file is in the export; one that is not a font is not', async () => {
  const source = 'https://fonts.example/far.woff2';
  const fonts = await findSiteFonts({ heading: { family: 'Far', source, weight: 700 } }, { root, download: fromServer });
  expect(paths(fonts)).toHaveLength(2);
  expect(sheetOf(fonts)).toMatch(/src:url\("fonts\/far\.[0-9a-f]{10}\.woff2"\) format\("woff2"\);font-weight:700/);
  const page = await findSiteFonts({ family: 'Far', source: 'https://fonts.example/html.woff2' }, { root, download: fromServer });
  expect(page.missing.get('Far')).toBe('its file is not a WOFF font');
  const unknown = await findSiteFonts({ family: 'Nowhere' }, { root, download: fromServer });
  expect(unknown.missing.get('Nowhere')).toBe('the host answers 400');
});
