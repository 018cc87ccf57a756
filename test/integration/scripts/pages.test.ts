// What changes in pages with modules, and what is reported about scripts that cannot be bundled.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exported, open, page, places, type ExportedSite } from './built-site.ts';

const textOf = (site: ExportedSite, file: string) => readFileSync(join(site.offline, file), 'utf8');
const reported = ({ problems }: ExportedSite) =>
  problems.filter(({ kind }) => /^(?:script|policy|svg)-/.test(kind)).map(({ kind, page, line }) => `${kind} ${page}:${line}`);

test('a site without modules gets neither bundle nor stub', async () => {
  const site = await exported({
    'index.html': page('<script src="/classic.js"></script><script type="module">document.title = "Alone"</script>'),
    'classic.js': '1',
  });
  expect(existsSync(join(site.offline, '_carrel/app.js'))).toBe(false);
  expect(textOf(site, 'index.html')).toContain(
    '<script src="classic.js"></script><script type="module">document.title = "Alone"</script>',
  );
  const { value, faults } = await open(site, 'from file://');
  expect(await value('document.title')).toBe('Alone');
  expect(faults).toEqual([]);
});

test('attributes that file:// refuses are removed, all others stay', async () => {
  const site = await exported({
    'index.html': page(
      `<script id="kept" data-x="1" type="module" crossorigin src="/a.js" async integrity="sha256-x"></script>
       <script src="/classic.js" integrity="sha256-x" crossorigin="anonymous" defer></script><script nomodule src="/old.js"></script>`,
      `<link rel="stylesheet" href="/a.css" integrity="sha256-x" crossorigin><link rel="modulepreload" href="/a.js">
       <link rel="preload" as="font" href="/a.woff2" crossorigin><link rel="prefetch" href="/next/"><script type="speculationrules">{}</script>
       <link rel="preload" href="https://elsewhere.example/a.css" as="style"><script>const a = '<link rel="modulepreload">'</script>`,
    ),
    'a.js': '',
    'a.css': '',
    'a.woff2': '',
    'classic.js': '',
    'old.js': '',
    'next/index.html': page(''),
  });
  const html = textOf(site, 'index.html');
  expect(html).toContain('<script id="kept" data-x="1" type="module" async>__carrel_import("/a.js")</script>');
  expect(html).toContain('<script src="classic.js" defer></script><script nomodule src="old.js"></script>');
  expect(html).toContain('<link rel="stylesheet" href="a.css">');
  expect(html).toContain('<link rel="preload" href="https://elsewhere.example/a.css" as="style">');
  expect(html).toContain(`<script>const a = '<link rel="modulepreload">'</script>`);
  expect(html).not.toMatch(/rel="prefetch"|speculationrules|as="font"|integrity|crossorigin/);
  expect(
    html.match(/^<!doctype html><html lang="en"><head><script>.*?<\/script><script defer charset="utf-8" src="_carrel\/app.js">/),
  ).not.toBe(null);
});

test('a page without head or html keeps its doctype', async () => {
  const site = await exported({
    'index.html': '\n<!-- made by hand -->\n<!doctype html>\n<h1>Page</h1><script type="module" src="/a.js"></script>',
    'a.js': 'document.body.dataset.mode = document.compatMode',
  });
  const { value, until } = await open(site, 'from file://');
  await until('document.body.dataset.mode !== undefined');
  expect(await value('document.body.dataset.mode')).toBe('CSS1Compat');
});

test('classic scripts import files of the site through the bundle, and external modules directly', async () => {
  const site = await exported({
    'guide/index.html': page(`<script>import('./near.js').then((m) => document.body.dataset.near = m.near)
      const late = (name) => import(name); late('/far.js').then((m) => document.body.dataset.far = m.far);
      const never = () => import('https://elsewhere.example/x.js')</script><script type="module" src="/far.js"></script>`),
    'guide/near.js': 'export const near = "near"',
    'far.js': 'export const far = "far"',
    'plain/index.html': page(
      `<script>const a = (name) => import(name), b = () => import('https://elsewhere.example/x.js')</script>`,
    ),
  });
  const { until, faults } = await open(site, 'from file://', 'guide/index.html');
  await until('document.body.dataset.near === "near" && document.body.dataset.far === "far"');
  expect(faults).toEqual([]);
  expect(textOf(site, 'guide/index.html')).toContain("const never = () => import('https://elsewhere.example/x.js')");
  expect(textOf(site, 'plain/index.html')).not.toContain('__carrel');
});

test('an inline module on many pages is in the bundle once', async () => {
  const inline =
    '<script type="module">import { far } from "/far.js"; document.body.dataset.far = far + "stands on every page"</script>';
  const site = await exported({
    'index.html': page(inline),
    'guide/index.html': page(inline),
    'far.js': 'export const far = ""',
  });
  expect(textOf(site, '_carrel/app.js').split('stands on every page')).toHaveLength(2);
});

describe('a script that cannot be bundled is reported, and the others run', () => {
  test('a file that does not parse, and an import without an export', async () => {
    const site = await exported({
      'index.html': page('<script type="module" src="/broken.js"></script><script type="module" src="/sound.js"></script>'),
      'broken.js': 'const a = 1;\n\nconst a b;\n',
      'sound.js': 'document.body.dataset.sound = "yes"; import("./broken.js").catch((e) => document.body.dataset.error = e.name)',
    });
    expect(reported(site)).toEqual(['script-not-bundled broken.js:3']);
    const { until, value } = await open(site, 'from file://');
    await until('document.body.dataset.error');
    expect(await value('({ ...document.body.dataset })')).toEqual({ sound: 'yes', error: 'SyntaxError' });
  });

  test('a duplicate name, which only the bundler finds', async () => {
    const site = await exported({
      'index.html': page('<script type="module" src="/twice.js"></script><script type="module" src="/sound.js"></script>'),
      'twice.js': 'let a = 1;\nlet a = 2;\n',
      'sound.js': 'document.body.dataset.sound = "yes"',
    });
    expect(reported(site)).toEqual(['script-not-bundled twice.js:1']);
    const { until } = await open(site, 'from file://');
    await until('document.body.dataset.sound === "yes"');
  });

  test('an inline script', async () => {
    const site = await exported({
      'guide.html': page(
        '\n<script type="module">\nimport "/sound.js";\nlet 1a;\n</script><script type="module">import "/sound.js"</script>',
      ),
      'sound.js': 'document.body.dataset.sound = "yes"',
    });
    expect(reported(site)).toEqual(['script-not-bundled guide.html:4']);
    const { until } = await open(site, 'from file://', 'guide.html');
    await until('document.body.dataset.sound === "yes"');
  });

  test('a script that is not a module, in a file and inline', async () => {
    const inline = '\n<script>\nconst a = 1;\nconst b c;\n</script><script>document.body.dataset.sound = "yes"</script>';
    const site = await exported({
      'index.html': page(`${inline}<script src="/broken.js"></script><script src="/sound.js"></script>`),
      'guide.html': page(`${inline}<script src="/broken.js"></script>`),
      'broken.js': '\nfunction (',
      'sound.js': 'document.body.dataset.file = "yes"',
    });
    expect(reported(site)).toEqual(['script-not-parsed index.html:4', 'script-not-parsed broken.js:2']);
    const { until } = await open(site, 'from file://');
    await until('document.body.dataset.sound === "yes" && document.body.dataset.file === "yes"');
  });

  test('scripts nested too deeply to be parsed, in files and inline', async () => {
    const deep = `x = ${'['.repeat(20_000)}"https://a.example/x.js"${']'.repeat(20_000)}`;
    // Few brackets, or none: these end the parser, too.
    const chained = {
      'ternaries.js': `export const x = ${'a ? b : '.repeat(60_000)}"https://a.example/x.js"`,
      'sums.js': `export const x = 1${' + 1'.repeat(200_000)} + "https://a.example/x.js"`,
      'else.js': `${'if (a) b; else '.repeat(60_000)}fetch("https://a.example/x.js"); export {}`,
      'hidden.js': `export const x = ${'["]",'.repeat(20_000)}"https://a.example/x.js"${']'.repeat(20_000)}`,
    };
    const modules = Object.keys(chained).map((file) => `<script type="module" src="/${file}"></script>`);
    const classic = Object.values(chained).map((text) => `<script>${text.replace(/export (?:const|\{\})/, '')}</script>`);
    const site = await exported({
      'index.html': page(
        `<script type="module" src="/deep.js"></script><script>${deep}; import("/sound.js")</script>\n<script type="module">import "/sound.js"; ${deep}</script><script type="module" src="/sound.js"></script>`,
      ),
      'chained.html': page([...modules, ...classic].join('')),
      'deep.js': `export const ${deep}`,
      'sound.js': 'document.body.dataset.sound = "yes"',
      ...chained,
    });
    expect(reported(site)).toEqual([
      'script-not-bundled index.html:2',
      'script-not-bundled deep.js:1',
      'script-not-bundled else.js:1',
      'script-not-bundled hidden.js:1',
      'script-not-bundled sums.js:1',
      'script-not-bundled ternaries.js:1',
    ]);
    const { until } = await open(site, 'from file://');
    await until('document.body.dataset.sound === "yes"');
  });

  test('a broken import', async () => {
    const site = await exported({
      'index.html': page('<script type="module" src="/a.js"></script><script type="module" src="/sound.js"></script>'),
      'a.js': 'import "./gone.js";\nimport x from "bare-name"; document.body.dataset.a = "ran"',
      'sound.js': 'document.body.dataset.sound = "yes"',
    });
    expect(reported(site)).toEqual(['script-import-missing a.js:1', 'script-import-missing a.js:2']);
    const { until, value } = await open(site, 'from file://');
    await until('document.body.dataset.sound === "yes"');
    expect(await value('document.body.dataset.a')).toBeUndefined();
  });
});

test.each(places)('a script with thousands of brackets in strings and regular expressions runs %s', async (place) => {
  const grammar = '  [/[([{]/, "(([[{{", \'((\', `[[`], // {{{\n'.repeat(20_000);
  const site = await exported({
    'index.html': page('<script type="module" src="/editor.js"></script>'),
    'editor.js': `import "./sound.js";\nconst rules = [\n${grammar}];\ndocument.body.dataset.rules = rules.length;`,
    'sound.js': 'document.body.dataset.sound = "yes"',
  });
  expect(reported(site)).toEqual([]);
  const { until, faults } = await open(site, place);
  await until('document.body.dataset.rules === "20000" && document.body.dataset.sound === "yes"');
  expect(faults).toEqual([]);
});

test('our search replaces that of an older Starlight, whose script contains other code too, and Pagefind is excluded', async () => {
  const search = `<site-search class="a"><button data-open-modal disabled>Search</button><dialog><div id="starlight__search"></div></dialog></site-search>`;
  const pagefind = 'document.body.dataset.pagefind = "loaded"';
  const site = await exported(
    {
      'index.html': page(`${search}<p>Words</p><script type="module" src="/_astro/hoisted.js"></script>`),
      'guide.html': page(`${search}<p>More words</p><script type="module" src="/_astro/hoisted.js"></script>`),
      '_astro/hoisted.js': `customElements.define("site-search", class extends HTMLElement { constructor() { super();
        this.querySelector("button").addEventListener("click", () => this.querySelector("dialog").showModal());
        import("/pagefind/pagefind-ui.js"); } }); document.body.dataset.other = "ran";`,
      'pagefind/pagefind-ui.js': pagefind,
      '_pagefind/pagefind.js': pagefind,
    },
    '/',
    { search: 'button' },
  );
  expect(readdirSync(site.offline)).toEqual(expect.not.arrayContaining(['pagefind', '_pagefind']));
  for (const place of ['over http', 'from file://'] as const) {
    const { until, value, faults, press } = await open(site, place);
    await until('document.body.dataset.other === "ran"');
    expect(await value('[document.querySelectorAll("dialog").length, document.body.dataset.pagefind ?? ""].join()')).toBe('0,');
    await until('!document.querySelector("[data-carrel-search]").disabled');
    expect(await value('document.querySelector("carrel-site-search > button[data-carrel-search]").textContent')).toBe('Search');
    await press('Control+k');
    await until('document.activeElement?.shadowRoot?.activeElement?.tagName === "INPUT"');
    expect(faults).toEqual([]);
  }
});

test('workers are reported by file and line', async () => {
  const site = await exported({
    'index.html': page(
      '<script type="module" src="/a.js"></script><script type="module">\nimport "/a.js";\nnew SharedWorker("/w.js")</script>',
    ),
    'a.js':
      '\nexport const start = () => new Worker(new URL("./w.js", import.meta.url), { type: "module" });\n// new Worker("/x.js")\nexport const made = (blob) => new Worker(URL.createObjectURL(blob))',
    'w.js': 'postMessage(1)',
  });
  expect(reported(site)).toEqual(['script-worker a.js:2', 'script-worker index.html:3']);
});

const search = `function joined(base, path) { return base + path }
if (window.Worker) {
  var worker = new Worker(joined(base_url, 'search/worker.js'));
  worker.onerror = () => {};
}`;

test('a worker of a classic script on many pages is reported once', async () => {
  const body = (up: string) => `<script>var base_url = "${up}"</script><script src="${up}search/main.js" defer></script>`;
  const site = await exported({
    'index.html': page(
      `${body('./')}\n<script>\n window.start = () => new window.SharedWorker("w.js")</script><script>\nwindow.load = () => fetch("/x.json")</script>`,
    ),
    'two/index.html': page(body('../')),
    'search/main.js': search,
    'search/worker.js': 'postMessage(1)',
    'blob.js': 'new Worker(URL.createObjectURL(new Blob([""])))',
    'blob/index.html': page('<script src="../blob.js"></script><script>new Worker("data:text/javascript,1")</script>'),
  });
  expect(reported(site).sort()).toEqual([
    'script-asks-file index.html:4',
    'script-worker index.html:3',
    'script-worker search/main.js:3',
  ]);
  expect((await open(site, 'over http', 'two/index.html')).faults).toEqual([]);
  const { faults } = await open(site, 'from file://', 'two/index.html');
  expect(faults.join()).toMatch(/cannot be accessed from origin|Failed to construct 'Worker'/);
  expect((await open(site, 'from file://', 'blob/index.html')).faults).toEqual([]);
});

test('an SVG symbol of another file that cannot be inlined is reported once, because file:// refuses it', async () => {
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg"><linearGradient id="sky"><stop/></linearGradient>
<symbol id="bell"><path d="M0 0h9"/></symbol><symbol id="cloud"><path fill="url(#sky)"/></symbol></svg>`;
  const use = (url: string) => `<svg><use href="${url}"/></svg>`;
  const site = await exported({
    'index.html': page(`<p>Words.</p>${use('/icons.svg#bell')}\n${use('/icons.svg#cloud')}${use('#here')}`),
    'two/index.html': page(`<p>Words.</p>${use('../icons.svg#cloud')}`),
    'bell/index.html': page(`<p>Words.</p>${use('../icons.svg#bell')}`),
    'icons.svg': sprite,
  });
  expect(reported(site)).toEqual(['svg-use-refused index.html:2']);
  expect(site.problems.find(({ kind }) => kind.startsWith('svg'))!.message).toContain('"/icons.svg#cloud"');
  expect((await open(site, 'over http', 'two/index.html')).faults).toEqual([]);
  expect((await open(site, 'from file://', 'two/index.html')).faults.join()).toContain('icons.svg');
  expect((await open(site, 'from file://', 'bell/index.html')).faults).toEqual([]);
});

test('the same site gives the same bytes in every folder, without paths of the machine', async () => {
  const files = {
    'index.html': page('<script type="module" src="/b.js"></script>'),
    'other/index.html': page('<script type="module" src="/a.js"></script><script type="module">import("/a.js")</script>'),
    'a.js': 'import { b } from "./b.js"; console.log(import.meta.url, b)',
    'b.js': '/*! License of b */ export const b = await 1',
  };
  const [one, two] = [await exported(files), await exported(files)];
  const bundle = textOf(one, '_carrel/app.js');
  expect(textOf(two, '_carrel/app.js')).toBe(bundle);
  expect(textOf(two, 'other/index.html')).toBe(textOf(one, 'other/index.html'));
  expect(bundle).toContain('License of b');
  expect(bundle).not.toContain(one.dist);
});

// Each as one release of Vite writes it: the second takes the URL of a style sheet from its own.
test.each([
  `const at = (file) => "/docs/" + file; export const preload = function preload(base, files, importer) { let p = Promise.resolve();
      if (files && files.length > 0) p = Promise.all(files.map((file) => { file = at(file); const link = document.createElement("link"); link.rel = "stylesheet"; link.crossOrigin = ""; link.href = file; document.head.appendChild(link);
        return new Promise((y, n) => { link.onload = y; link.onerror = () => n(Error("Unable to preload CSS for " + file)) }) }));
      const fail = (error) => { const e = new Event("vite:preloadError"); dispatchEvent(e); throw error }; return p.then(() => base().catch(fail)) }`,
  `const at = (file) => "/docs/" + file; export const preload = (base, files) => { const fail = (error) => { dispatchEvent(new Event(\`vite:preloadError\`)); throw error };
      return Promise.all((files ?? []).map((file) => new Promise((y, n) => { const link = document.createElement("link"); link.rel = "stylesheet"; link.crossOrigin = ""; link.href = new URL(at(file), import.meta.url); document.head.append(link); link.onload = y; link.onerror = n }))).then(base).catch(fail) }`,
])('stylesheets load before the module that imports them %#', async (helper) => {
  const site = await exported(
    {
      'deep/index.html': page('<p id="wide">wide</p><script type="module" src="/docs/_astro/a.js"></script>'),
      '_astro/a.js': 'import { preload } from "./preload.js"; preload(() => import("./lazy.js"), ["_astro/lazy.css"])',
      '_astro/lazy.js': 'document.body.dataset.spacing = getComputedStyle(document.getElementById("wide")).letterSpacing',
      '_astro/lazy.css': '#wide { letter-spacing: 5px }',
      '_astro/preload.js': helper,
    },
    '/docs/',
  );
  for (const place of places) {
    const { until, value, faults } = await open(site, place, 'deep/index.html');
    await until('document.body.dataset.spacing');
    expect(await value('document.body.dataset.spacing'), place).toBe('5px');
    expect(faults, place).toEqual([]);
  }
});

test('pages are not prefetched where file:// refuses it', async () => {
  const site = await exported({
    'index.html': page('<a href="/next/">Next</a><script type="module" src="/prefetch.js"></script>'),
    'prefetch.js': `const link = document.createElement('link'); link.rel = 'prefetch'; link.setAttribute('href', document.querySelector('a').href); document.head.append(link); document.body.dataset.done = 'yes'`,
    'next/index.html': page('next'),
  });
  for (const place of places) {
    const { until, faults } = await open(site, place);
    await until('document.body.dataset.done && performance.now() > 500');
    expect(faults, place).toEqual([]);
  }
});
