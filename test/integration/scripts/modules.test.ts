// What module scripts do on a host they do in an export. Each site is first opened as it was made.
import { expect, test } from 'vitest';
import { exported, open, page, places } from './built-site.ts';

const log = '<script>window.log = []</script>';

interface Case {
  files: Record<string, string>;
  /** What `log` holds in the end. */
  log: unknown[];
  base?: string;
  /** The page to open. */
  file?: string;
}

const cases: Record<string, Case> = {
  'scripts run in the order of the page, modules after it was read': {
    files: {
      'index.html': page(
        `<script type="module" src="/a.js"></script><script defer src="/classic.js"></script><script type="module">import '/b.js'; log.push('inline')</script>
         <script type="module">log.push('alone ' + document.readyState)</script><script>log.push('at once')</script><script type="module" src="/c.js"></script><p id="last">`,
        log,
      ),
      'a.js': 'log.push("a", document.getElementById("last") !== null, document.currentScript)',
      'b.js': 'log.push("b")',
      'c.js': 'log.push("c", document.readyState); addEventListener("DOMContentLoaded", () => log.push("loaded"))',
      'classic.js': 'log.push("classic")',
    },
    log: ['at once', 'a', true, null, 'classic', 'b', 'inline', 'alone interactive', 'c', 'interactive', 'loaded'],
  },
  'modules are shared, however they are named': {
    files: {
      'guides/index.html': page(
        '<script type="module" src="../one.js"></script><script type="module" src="/two.js"></script><script type="module" src="/one.js"></script>',
        log,
      ),
      'one.js': 'import { count } from "./lib/count.js"; log.push("one", count())',
      'two.js':
        'import { count } from "/lib/count.js"; import("./lib/../lib/count.js").then((m) => log.push("two", count(), m.count()))',
      'lib/count.js': 'let n = 0; export const count = () => ++n',
    },
    file: 'guides/index.html',
    log: ['one', 1, 'two', 2, 3],
  },
  'modules below a base, with blanks and letters of all kinds in their names': {
    files: {
      'index.html': page('<script type="module" src="/docs/_astro/caf%C3%A9 one.js?v=2"></script>', log),
      '_astro/café one.js': 'import { two } from "/docs/_astro/100%25.js"; log.push(two, "naïve ✓ 木")',
      '_astro/100%.js': 'export const two = "two"',
    },
    base: '/docs/',
    log: ['two', 'naïve ✓ 木'],
  },
  'a module waits at its top, and so does what imports it; others go on': {
    files: {
      'index.html': page('<script type="module" src="/a.js"></script><script type="module" src="/b.js"></script>', log),
      'a.js': 'import { value } from "./waits.js"; log.push(value)',
      'b.js': 'log.push("b")',
      'waits.js': 'export const value = await new Promise((done) => setTimeout(() => done("waited"), 50))',
    },
    log: ['b', 'waited'],
  },
  'imports that are put together when they run': {
    files: {
      'index.html': page('<script type="module" src="/app/a.js"></script><script type="module" src="/app/b.js"></script>', log),
      'app/a.js': `const known = { './x.js': () => import('./x.js') }; log.push((await known['./x.js']()).name);
        for (const name of ['./b.js', '/app/b.js', new URL('./b.js', import.meta.url).href]) log.push((await import(name)).name);
        for (const name of ['one', 'two']) log.push((await import(\`./pages/\${name}.js\`)).name, (await import('./pages/' + name + '.js')).name)`,
      'app/b.js': 'export const name = "b"',
      'app/x.js': 'export const name = "x"',
      'app/pages/one.js': 'export const name = "one"',
      'app/pages/two.js': 'export const name = "two"',
    },
    log: ['x', 'b', 'b', 'b', 'one', 'one', 'two', 'two'],
  },
  'cycles, live bindings and every form of export': {
    files: {
      'index.html': page('<script type="module" src="/a.js"></script>', log),
      'a.js': `import start, * as all from './all.js'; import { n, add } from './n.js'; add(); add();
        log.push(n, start(), Object.keys(all).join(), all.space.n, all.renamed, Object.prototype.toString.call(all), this)`,
      'all.js':
        'export * from "./n.js"; export * as space from "./n.js"; export { n as renamed } from "./n.js"; export { default } from "./b.js"',
      'n.js': 'export let n = 0; export function add() { n++ }',
      'b.js': 'import { twice } from "./c.js"; export const two = 2; export default function start() { return twice() }',
      'c.js': 'import { two } from "./b.js"; export const twice = () => two * 2',
    },
    log: [2, 4, 'add,default,n,renamed,space', 2, 2, '[object Module]', undefined],
  },
  'a script for several module systems sees none, and names of the window stay what they are': {
    files: {
      'index.html': page('<script type="module" src="/umd.js"></script><script type="module" src="/names.js"></script>', log),
      'umd.js': `(function (root, make) { typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = make()
        : typeof define === 'function' && define.amd ? define(make) : root.Lib = make() })(globalThis, () => 'lib'); log.push(window.Lib)`,
      'names.js':
        'const name = 1, top = 2, require = 3; function open() {} log.push(name + top + require, typeof window.name, (() => { try { undeclared = 1 } catch (e) { return e.name } })())',
    },
    log: ['lib', 6, 'string', 'ReferenceError'],
  },
  'import maps': {
    files: {
      'index.html': page(
        '<script type="module">import { n } from "lib"; import { m } from "tools/m.js"; log.push(n, m)</script>',
        `${log}<script type="importmap">{"imports":{"lib":"/vendor/lib.js","tools/":"./tools/"}}</script>`,
      ),
      'vendor/lib.js': 'import { m } from "tools/m.js"; export const n = m + 1',
      'tools/m.js': 'export const m = 1',
    },
    log: [2, 1],
  },
  'data as modules': {
    files: {
      'index.html': page('<script type="module" src="/a.js"></script><p class="wide">wide</p>', log),
      'a.js': `import data from './data.json' with { type: 'json' }; import sheet from './wide.css' with { type: 'css' };
        import text from 'data:text/javascript,export%20default%20%22text%22';
        document.adoptedStyleSheets = [sheet]; log.push(data.list.length, getComputedStyle(document.querySelector('.wide')).letterSpacing, text)`,
      'data.json': '{ "list": [1, 2, 3] }',
      'wide.css': '.wide { letter-spacing: 7px }',
    },
    log: [3, '7px', 'text'],
  },
  'a module that fails goes on failing, and stops only what needs it': {
    files: {
      'index.html': page('<script type="module" src="/b.js"></script><script type="module" src="/a.js"></script>', log),
      'a.js':
        'import("./fails.js").catch((e) => { log.push(e.message); return import("./fails.js") }).catch((e) => log.push("again " + e.message))',
      'fails.js': 'throw new Error("fails")',
      'b.js': 'log.push("b")',
    },
    log: ['b', 'fails', 'again fails'],
  },
};

test.each(Object.entries(cases))('%s', async (_, { files, log, base, file }) => {
  const site = await exported(files, base);
  expect(site.problems.filter(({ kind }) => kind.startsWith('script'))).toEqual([]);
  // Only URLs of modules depend on where they are.
  for (const place of ['as built', 'from file://'] as const) {
    const opened = await open(site, place, file);
    await opened.until(`log.length >= ${log.length}`);
    expect(await opened.value('log'), place).toEqual(log);
    expect(opened.faults, place).toEqual([]);
  }
});

test('modules know their own URL, and those of others', async () => {
  const site = await exported(
    {
      'deep/page/index.html': page('<script type="module" src="/docs/_astro/a.js"></script>', log),
      '_astro/a.js': `const at = (url) => new URL(url, import.meta.url).href;
          log.push(import.meta.url, at('./x.txt'), at('/docs/images/dot.svg'), new URL('../images/dot.svg', import.meta.url).pathname, import.meta.resolve('./a.js'));
          const image = new Image(); image.src = '/docs/images/dot.svg'; image.decode().then(() => log.push(image.naturalWidth), (e) => log.push(e.message))`,
      'images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    },
    '/docs/',
  );
  for (const place of places) {
    const { url, until, value, faults } = await open(site, place, 'deep/page/index.html');
    await until('log.length === 6');
    expect(await value('log')).toEqual([
      `${url}_astro/a.js`,
      `${url}_astro/x.txt`,
      `${url}images/dot.svg`,
      new URL(`${url}images/dot.svg`).pathname,
      `${url}_astro/a.js`,
      9,
    ]);
    expect(faults).toEqual([]);
  }
});

test('files of the site with an absolute URL are included', async () => {
  const cdn = 'https://cdn.example.com/site/';
  const files = {
    'guides/index.html': page(`<script type="module" src="${cdn}_astro/a.js"></script>`, log),
    '_astro/a.js': `import { b } from './b.js'; import { c } from '${cdn}_astro/c.js'; const image = new Image();
      image.src = '${cdn}_astro/dot.svg'; image.decode().then(() => log.push(b, c, image.naturalWidth), (e) => log.push(e.message))`,
    '_astro/b.js': 'export const b = "b"',
    '_astro/c.js': 'export const c = "c"',
    '_astro/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  };
  const { until, value, faults } = await open(
    await exported(files, '/docs/', { ownUrls: [cdn] }),
    'from file://',
    'guides/index.html',
  );
  await until('log.length === 3');
  expect(await value('log')).toEqual(['b', 'c', 9]);
  expect(faults).toEqual([]);
});
