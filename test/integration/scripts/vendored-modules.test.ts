// Scripts that load files from a vendored host: the host is down when the export is opened, over HTTP and from file://.
import { describe, expect, test } from 'vitest';
import { serveFolder } from '../../support/serve-folder.ts';
import { temporaryFolder } from '../export/folder.ts';
import { exported, open, page, type ExportedSite } from './built-site.ts';
import { writeFiles } from '../../support/write-files.ts';

const places = ['over http', 'from file://'] as const;

/** Exports a site that loads from another host, which is stopped afterward. HOST in its files is the URL of that host. */
async function vendoredSite(host: Record<string, string | Buffer>, site: Record<string, string>): Promise<ExportedSite> {
  const folder = temporaryFolder();
  writeFiles(folder, host);
  const { address: url, close } = await serveFolder(folder);
  const files = Object.entries(site).map(([name, text]) => [name, text.replaceAll('HOST/', url)]);
  const done = await exported(Object.fromEntries(files), '/', { bringIn: [new URL(url).host] });
  await close();
  const problems = done.problems.map((problem) => ({ ...problem, message: problem.message.replaceAll(url, 'HOST/') }));
  return { ...done, problems };
}

const log = '<script>window.log = []</script>';
const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';
const image = (url: string) =>
  `(() => { const image = new Image(); image.onload = () => log.push(image.width); image.onerror = () => log.push("broken"); image.src = ${url} })()`;

describe.each(places)('%s', (place) => {
  test('modules of a host run, with what they import and the files beside them', async () => {
    const site = await vendoredSite(
      {
        'main.js': `import { part } from "./parts/part.js"; log.push(part); const picture = new URL("./dot.svg", import.meta.url).href;
import("./late.js").then(({ late }) => { log.push(late); ${image('picture')} }); export const whole = part + "!"`,
        'parts/part.js': 'import { shared } from "/shared.js"; export const part = "part " + shared.count++',
        'shared.js': 'export const shared = { count: 1 }',
        'late.js': 'import { shared } from "./shared.js"; export const late = "late " + shared.count++',
        'dot.svg': dot,
      },
      {
        'guide/index.html': page(
          `<p>Words.</p><script type="module" src="HOST/main.js"></script><script type="module">import { whole } from "HOST/main.js"; log.push(whole)</script>`,
          log,
        ),
      },
    );
    const { until, value, faults } = await open(site, place, 'guide/index.html');
    await until('log.length === 4');
    expect(await value('log.toSorted()')).toEqual([7, 'late 2', 'part 1', 'part 1!']);
    expect(faults).toEqual([]);
    expect(site.problems).toEqual([]);
  });

  test.each([
    ['a picture that a module makes', `<script type="module" src="/app.js"></script>`, image('"HOST/dot.svg"'), 7],
    [
      'a picture of a module that imports',
      `<script type="module" src="/app.js"></script>`,
      `import "/b.js"; ${image('`HOST/dot.svg`')}`,
      7,
    ],
    ['a picture that a script in the page makes', `<script>const at = "HOST/dot.svg"; ${image('at')}</script>`, '', 7],
    ['a picture that a module in the page makes', `<script type="module">${image("'HOST/dot.svg'")}</script>`, '', 7],
    ['a module that a module asks for', `<script type="module" src="/app.js"></script>`, 'import("HOST/late.js")', 'late'],
    ['a module that a script in the page asks for', `<script>import("HOST/late.js")</script>`, '', 'late'],
    ['a module that a module imports', `<script type="module" src="/app.js"></script>`, 'import "HOST/late.js"', 'late'],
    [
      'a script that a script in the page adds',
      `<script>const s = document.createElement("script"); s.src = "HOST/old.js"; document.head.append(s)</script>`,
      '',
      'old',
    ],
  ])('%s is a file of the export', async (_, body, app, expected) => {
    const site = await vendoredSite(
      { 'dot.svg': dot, 'late.js': 'log.push("late"); export {}', 'old.js': 'log.push("old")' },
      { 'guide/index.html': page(`<p>Words.</p>${body}`, log), 'app.js': app, 'b.js': 'export {}' },
    );
    expect(site.problems).toEqual([]);
    const { until, value, faults } = await open(site, place, 'guide/index.html');
    await until('log.length === 1');
    expect(await value('log')).toEqual([expected]);
    expect(faults).toEqual([]);
  });
});

test('a request of a script that no file can answer is reported, with the reason', async () => {
  const site = await vendoredSite(
    { 'x.json': '{}', 'dot.svg': dot },
    {
      'index.html': page(
        `<script>fetch("HOST/x.json")</script><script src="/classic.js"></script><a onclick="new Image().src='HOST/dot.svg'">Look</a>`,
      ),
      'classic.js': 'new Image().src = "HOST/dot.svg"',
      'app.js': 'import "./b.js"; new Worker("HOST/worker.js"); fetch("HOST/x.json")',
      'b.js': 'export {}',
    },
  );
  const notVendored = (element: string, file: string, why: string) =>
    `The ${element} loads "HOST/${file}" from an external origin, which is allowed, but was not vendored: ${why}.`;
  const text = 'a page that was opened from disk cannot request the text of another file';
  const fixed = 'the export cannot rewrite its URL';
  expect(site.problems.map(({ kind, severity, page, message }) => [kind, severity, page, message])).toEqual([
    ['remote-not-vendored', 'warning', 'index.html', notVendored('script fetch()', 'x.json', text)],
    ['remote-not-vendored', 'warning', 'index.html', notVendored('a onclick .src=', 'dot.svg', fixed)],
    [
      'remote-not-vendored',
      'warning',
      'app.js',
      notVendored('script new Worker()', 'worker.js', 'a worker is a script of its own host'),
    ],
    ['remote-not-vendored', 'warning', 'app.js', notVendored('script fetch()', 'x.json', text)],
    ['remote-not-vendored', 'warning', 'classic.js', notVendored('script .src=', 'dot.svg', fixed)],
  ]);
});
