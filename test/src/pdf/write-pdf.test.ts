import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { exportDocs, type ExportDocsOptions } from '../../../src/export/export-docs.ts';
import { findBrowser, printPage } from '../../../src/pdf/browser.ts';
import { findChromium } from '../../support/chromium.ts';
import { installedProgram } from '../../support/debian-package.ts';
import { writeFiles } from '../../support/write-files.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

async function exportPdf(files: Record<string, string | Uint8Array>, options: Partial<ExportDocsOptions> = {}) {
  const root = temporaryFolder();
  writeFiles(join(root, 'docs'), files);
  const file = join(root, 'pdf/book.pdf');
  const exported = exportDocs({
    ...{ source: join(root, 'docs'), out: join(root, 'site'), deployment: 'client-hosted', vendor: false, cache: false, now: 0 },
    ...{ pdf: file, browser: findChromium(), environment: process.env, ...options },
  });
  let error: Error | undefined;
  const report = await exported.catch((thrown: Error) => void (error = thrown));
  return { root, file, error, warnings: report?.warnings ?? [] };
}

/** What the programs of Poppler read. */
function readPdf(file: string) {
  const run = (program: string, ...args: string[]) =>
    execFileSync(installedProgram(program, 'poppler-utils'), args, { encoding: 'utf8', maxBuffer: 1e9 });
  const pages = run('pdftotext', file, '-').split('\f').slice(0, -1);
  const xml = run('pdftohtml', '-xml', '-i', '-stdout', file);
  const outline = /<outline>[\s\S]*<\/outline>/.exec(xml)?.[0] ?? '';
  const items = outline.matchAll(/(<\/?outline>)|<item page="(\d+)">([^<]*)/g);
  let depth = -1;
  const bookmarks: string[] = [];
  for (const [, tag, page, title] of items)
    if (tag) depth += tag === '<outline>' ? 1 : -1;
    else bookmarks.push(`${'  '.repeat(depth)}${title} ${page}`);
  const links = xml.matchAll(/<a href="[^"]*?\.html#(\d+)">([^<]*)<\/a>/g);
  const bytes = readFileSync(file);
  const streams = bytes.toString('latin1').matchAll(/\/Type \/ObjStm [^>]*\/Length (\d+)>> stream\n/g);
  const objects = [...streams].map((found) => {
    const start = found.index + found[0].length;
    return inflateSync(bytes.subarray(start, start + Number(found[1]))).toString('latin1');
  });
  return {
    bytes,
    pages,
    bookmarks,
    info: run('pdfinfo', '-f', '1', '-l', String(pages.length), file),
    links: new Map([...links].map(([, page, text]) => [text, Number(page)])),
    objects: objects.join('\n'),
    /** The number of the page that begins with a title. */
    pageOf: (title: string) => pages.findIndex((text, index) => index > 1 && text.includes(`\n${title}\n`)) + 1,
  };
}

const words = (file: string, first = '3') => {
  const xml = execFileSync('pdftotext', ['-f', first, '-bbox', file, '-'], { encoding: 'utf8' });
  const found = xml.matchAll(/xMin="([\d.]+)"[^>]* xMax="([\d.]+)"[^>]*>([^<]*)/g);
  return [...found].map(([, from, to, text]) => ({ text: text!, from: Number(from), to: Number(to) }));
};

/** Runs a command with the file that a browser is to write. */
const onPdf = (command: string) => `for a; do case $a in --print-to-pdf=*) ${command} "\${a#*=}";; esac; done`;

const page = (title: string, body: string) => `---\ntitle: "${title}"\n---\n\n${body}\n`;
const long = 'Words of a sentence that is long enough for a line or two of the page.\n\n'.repeat(400);

test('a PDF has bookmarks, a table of contents, links with page numbers, and tags', async () => {
  const navigation = {
    tabs: [
      { tab: 'Guides', groups: [{ group: 'Start', pages: ['index', 'deep/second'] }] },
      { tab: 'API', pages: ['third', 'fourth', 'v2'] },
    ],
  };
  const files = {
    'docs.json': JSON.stringify({ name: 'Tides & Co', description: 'All of them', navigation }),
    'index.mdx': page('First', `## Part\n\nSee [the end](/deep/second#the-end) and [the last one](/fourth).\n\n${long}`),
    'deep/second.mdx': page('Second', `${long}## The (end)\n\n### 漢字 \\ ü\n\n[upwards](/#part)\n\n${long}`),
    'third.mdx': page('Same', `## Example\n\n${long}## Example\n\n### \`code\` & more`),
    'fourth.mdx': page('Same', '| a | b |\n| - | - |\n| 1 | 2 |\n\n[other](#example-2), [hidden](/hidden)'),
    'v2.mdx': page('v2', 'Text.'),
    'hidden.mdx': page('Hidden', 'Text.'),
  };
  const { file, root, warnings } = await exportPdf(files);
  const pdf = readPdf(file);
  expect(warnings.map(({ kind }) => kind)).not.toContain('image-not-in-book');
  expect(pdf.info).toMatch(/Title: +Tides & Co\nSubject: +All of them\nCreator: +carrel[\s\S]*Tagged: +yes\n/);
  const [first, second, third] = ['First', 'Second', 'Same'].map(pdf.pageOf) as [number, number, number];
  const end = pdf.pageOf('The (end)');
  const fourth = pdf.pages.length - 1;
  expect([first, second > first + 3, end > second + 3, third > end]).toEqual([3, true, true, true]);
  const again = pdf.pages.findLastIndex((text) => text.includes('\nExample\n')) + 1;
  expect(pdf.bookmarks).toEqual([
    ...['Pages 2', `Guides ${first}`, `  Start ${first}`, `    First ${first}`, `      Part ${first}`, `    Second ${second}`],
    ...[`      The (end) ${end}`, `        漢字 \\ ü ${end}`, `API ${third}`, `  Same ${third}`, `    Example ${third}`],
    ...[`    Example ${again}`, `      code &amp; more ${again}`, `  Same ${fourth}`, `  v2 ${fourth + 1}`],
  ]);
  const contents = pdf.pages[1]!.replaceAll(/\s+/g, ' ');
  for (const [title, number] of [
    ['First', first],
    ['Second', second],
    ['Same', third],
    ['Same', fourth],
    ['v2', fourth + 1],
  ])
    expect(contents).toMatch(new RegExp(`\\b${title}\\b.*\\b${number}\\b`));
  expect(pdf.pages[first - 1]).toContain(`See the end (page ${end}) and the last one (page ${fourth}).`);
  expect(Object.fromEntries(pdf.links)).toMatchObject({ end, one: fourth, upwards: first });
  expect(pdf.pages[second + 1]).toMatch(/^Tides & Co\s+Second\s/);
  expect(pdf.pages[second + 1]).toMatch(new RegExp(`\\s${second + 2}\\s*$`));
  expect(pdf.objects).toMatch(/\/Type \/Catalog [^\n]*\/Lang <FEFF0065006E>/);
  // No bookmark or link without a target, no name twice, and each tag in the tree of its part.
  expect(pdf.objects).not.toMatch(/\/URI \(book:/);
  const names = [...pdf.objects.matchAll(/\/ID \((\w+)\)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(names.length);
  const limits = [...pdf.objects.matchAll(/\/Limits \[(\d+) (\d+)\]/g)].map(([, from, to]) => [Number(from), Number(to)]);
  expect(limits.length).toBeGreaterThan(1);
  expect(limits.flat()).toEqual(limits.flat().toSorted((a, b) => a - b));
  expect(execFileSync('pdffonts', [file], { encoding: 'utf8' })).not.toMatch(/ no +(?:yes|no) +(?:yes|no) +\d/);
  expect(readdirSync(join(root, 'pdf'))).toEqual(['book.pdf']);
  // The names of tags, and their order, depend on how fast Chromium reads.
  const browser = join(root, 'browser');
  const renamed = onPdf("perl -pi -e 's/\\(node\\K\\d+/$& =~ tr,0-9,9876543210,r/ge'");
  writeFileSync(browser, `#!/bin/sh\n"${findChromium()}" "$@"\n${renamed}\n`, { mode: 0o755 });
  expect(readPdf((await exportPdf(files, { browser })).file).bytes.equals(pdf.bytes)).toBe(true);
});

test('awkward pages lose no text, load nothing and run nothing', async () => {
  const line = 'x123456789'.repeat(500);
  const cells = (text: string) => `|${` ${text} |`.repeat(40)}`;
  const body = `
<script>document.body.textContent = 'run'</script>

![Large](/large.png) ![Missing](/missing.png) ![Remote](https://images.invalid/a.png)

<svg viewBox="0 0 9 9" width="9"><style>* { fill: red } } body { display: none }</style><path d="M0 0h9"/></svg>

\`\`\`
${line}
\`\`\`

Inline \`${line}\` after it.

${cells('head')}
${cells('---')}
${cells('cell')}

The end.
`;
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  );
  png.writeUInt32BE(20_000, 16);
  png.writeUInt32BE(20_000, 20);
  const files = {
    'docs.json': JSON.stringify({ name: 'كتاب', navigation: { languages: [{ language: 'ar', pages: ['html'] }] } }),
    'html.md': page('Title', 'كتب'),
  };
  const docs = { 'docs.json': JSON.stringify({ name: 'Book', navigation: { pages: ['index', 'html'] } }) };
  const { file, warnings } = await exportPdf(
    { ...files, ...docs, 'index.md': page('</style> \\\\ \\" }', body), 'large.png': png },
    { paper: 'letter' },
  );
  const { pages, info, bookmarks } = readPdf(file);
  // Running heads and page numbers stand between the lines of two pages.
  const code = pages.join('').replaceAll(/\s+|\d*\fBook.*\n/g, '');
  expect(code.match(/x123456789/g)?.length).toBeGreaterThanOrEqual(990);
  const text = pages.join(' ');
  for (const words of ['The end.', 'after it.', 'Large', 'Missing', 'Remote', 'كتب']) expect(text).toContain(words);
  expect(text.match(/\bcell/g)).toHaveLength(40);
  expect(text).not.toContain('run');
  expect(bookmarks[1]).toBe('&lt;/style&gt; \\ &#34; } 3');
  const sizes = new Set([...info.matchAll(/Page +\d+ size: +(\d+).* x (\d+)/g)].map(([, width, height]) => `${width} ${height}`));
  expect([...sizes].sort()).toEqual(['612 792', '792 612']);
  const notShown = warnings.filter(({ kind }) => kind === 'image-not-in-book').map(({ message }) => message);
  expect(notShown).toEqual([expect.stringContaining('50 million pixels'), expect.stringContaining('images.invalid')]);
  const { objects } = readPdf((await exportPdf(files)).file);
  expect(objects).toContain('/Direction /R2L');
  expect(objects).toContain('/Lang <FEFF00610072>');
});

test('pages with large images are printed one after another', async () => {
  const chunk = (type: string, bytes: Buffer) => {
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(bytes.length);
    ends.writeUInt32BE(crc32(bytes, crc32(type)), 4);
    return Buffer.concat([ends.subarray(0, 4), Buffer.from(type), bytes, ends.subarray(4)]);
  };
  const head = Buffer.from([0, 0, 15, 160, 0, 0, 15, 160, 1, 0, 0, 0, 0]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(4000 * 501))), chunk('IEND', Buffer.alloc(0))];
  const large = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
  const files = {
    'a.png': large,
    'b.png': large,
    'index.md': page('One', '![A](/a.png)'),
    'two.md': page('Two', '![B](/b.png)'),
  };
  const totals = new Set<number>();
  const { file, error } = await exportPdf(files, {
    onProgress: (progress) => void (progress.stage === 'print' && totals.add(progress.total)),
  });
  expect(error).toBeUndefined();
  expect([...totals]).toEqual([3]);
  expect(readPdf(file).bookmarks).toEqual(['Pages 2', 'One 3', 'Two 4']);
});

test('a table leaves words whole, and a wide drawing does not shrink the pages beside it', async () => {
  const kinds = ['specification-page-missing', 'CARREL_EMBEDDINGS_MODEL', 'navigation'];
  const rows = kinds.map(
    (kind) => `| \`${kind}\` | ${'Words that say what it means. '.repeat(8)} | ${'What to do. '.repeat(6)} |`,
  );
  const table = `| Kind | Meaning | Remedy |\n| - | - | - |\n${rows.join('\n')}`;
  const drawing =
    '<svg viewBox="0 0 3000 10" width="3000" height="10" style="width: max(100%, 2000px)"><path d="M0 0h3000"/></svg>';
  const bodies = [table, `${table}\n\n${drawing}`];
  const [alone, beside] = await Promise.all(
    bodies.map(async (body) => {
      const { file } = await exportPdf({ 'index.md': page('Home', body) });
      return new Map(words(file).map(({ text, from, to }) => [text, to - from]));
    }),
  );
  expect([...alone!.keys()]).toEqual(expect.arrayContaining(['CARREL_EMBEDDINGS_MODEL', 'navigation', 'Remedy']));
  expect([...alone!.keys()].filter((text) => /specification|missing/.test(text)).join('')).toMatch(
    /^specification-(?:page-)?(?:page-)?missing$/,
  );
  expect(beside!.get('navigation')).toBeCloseTo(alone!.get('navigation')!, 1);
});

test('the title of the cover, tables with spans and tables in tables stay on the page', async () => {
  const [name, other] = ['NAVIGATION_ENVIRONMENT_VARIABLE', 'configuration.something.else'];
  const row = (...cells: string[]) =>
    `<tr>${cells.map((cell) => (cell.startsWith('<td') ? cell : `<td>${cell}</td>`)).join('')}</tr>`;
  const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`;
  const inner = table(row('inside', 'specification_page_is_missing', 'configuration.has.no.limit'));
  const tables = [
    table(row('<td colspan="3">All</td>'), row(`<td rowspan="2">${'long'.repeat(50)}</td>`, 'b', name), row('c', other)),
    table(row(`left ${inner}`, `right ${inner}`)),
    table(row('<td colspan="100">All</td>', 'last')),
  ];
  const { file } = await exportPdf({
    'docs.json': JSON.stringify({ name: 'Management Console', navigation: { pages: ['index'] } }),
    'index.md': page('Home', tables.join('\n\n')),
  });
  const found = words(file, '1');
  const place = (text: string) => found.find((word) => word.text === text);
  for (const text of [name, other, 'last']) expect(place(text)).toBeDefined();
  expect(place('right')!.from).toBeGreaterThan(place('left')!.from + 100);
  expect(Math.max(...found.map(({ to }) => to))).toBeLessThan(595 - 50);
});

test('a browser can be named as its program is', () => {
  const environment = { PATH: dirname(findChromium()) };
  expect(findBrowser(basename(findChromium()), environment)).toBe(findChromium());
  expect(() => findBrowser('no-such-browser', environment)).toThrow('There is no browser "no-such-browser"');
});

describe('without a browser that prints, there is neither a PDF nor an export', () => {
  const files = { 'index.md': page('Home', 'Words.') };
  const objects = ['Type /Catalog /Pages 2 0 R', 'Type /Pages /Kids []', 'Producer (Skia/PDF m130)'];
  const texts = ['%PDF-1.4\n', ...objects.map((text, index) => `${index + 1} 0 obj\n<</${text}>>\nendobj\n`)];
  const offsets = objects.map((_, index) => texts.slice(0, index + 1).join('').length);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const old = `${texts.join('')}xref\n0 4\n0000000000 65535 f \n${table}trailer\n<</Root 1 0 R /Info 3 0 R>>\nstartxref\n${texts.join('').length}\n%%EOF\n`;
  test.each([
    ['one that is missing', undefined, 'There is no browser "', 'apt-get install chromium'],
    ['one that fails', 'echo "cannot open display" >&2; exit 3', 'ended with code 3 (cannot open display)', 'version 131'],
    ['one that writes nothing', 'exit 0', 'it wrote no file', 'version 131'],
    ['one that prints something else', onPdf('echo no >'), 'cannot be read', '--browser PATH'],
    ['an old one', onPdf('cat "$0.pdf" >'), 'is Chromium 130; --pdf needs version 131 or newer', '--browser PATH'],
  ])('%s', async (_, script, message, hint) => {
    const browser = join(temporaryFolder(), 'browser');
    if (script !== undefined) writeFileSync(browser, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(`${browser}.pdf`, old);
    const { root, error } = await exportPdf(files, { browser });
    expect(error).toMatchObject({ message: expect.stringContaining(message), hint: expect.stringContaining(hint) });
    expect(existsSync(join(root, 'site'))).toBe(false);
    expect(existsSync(join(root, 'pdf')) ? readdirSync(join(root, 'pdf')) : []).toEqual([]);
  });

  test('one that hangs', async () => {
    const folder = temporaryFolder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\nsleep 600 & echo $! > ${folder}/child\nwait\n`, { mode: 0o755 });
    const options = { browser, profile: folder, environment: process.env, what: 'part 1', timeout: 2 };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const printed = printPage(join(folder, 'page.html'), join(folder, 'page.pdf'), options);
    await expect.poll(() => existsSync(join(folder, 'child')) && readFileSync(join(folder, 'child'), 'utf8')).toMatch(/\d\n/);
    vi.advanceTimersByTime(2000);
    vi.useRealTimers();
    await expect(printed).rejects.toThrow('did not print part 1: it took more than 2 seconds.');
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    await expect.poll(() => existsSync(`/proc/${child}`)).toBe(false);
  });

  test('a signal ends it with its processes', async () => {
    const folder = temporaryFolder();
    const browser = join(folder, 'browser');
    const stop = new AbortController();
    writeFileSync(browser, `#!/bin/sh\nsleep 600 & echo $! > ${folder}/child\nwait\n`, { mode: 0o755 });
    const ended = exportPdf(files, { browser, signal: stop.signal });
    await expect.poll(() => existsSync(join(folder, 'child')) && readFileSync(join(folder, 'child'), 'utf8')).toMatch(/\d\n/);
    stop.abort(new Error('stopped'));
    const { root, error } = await ended;
    expect(error?.message).toBe('stopped');
    expect(readdirSync(join(root, 'pdf'))).toEqual([]);
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    await expect.poll(() => existsSync(`/proc/${child}`)).toBe(false);
  });
});
