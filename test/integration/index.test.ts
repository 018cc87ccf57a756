import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import carrel, { type CarrelOptions } from '../../integration/index.ts';
import { runAlone, runWarm } from '../support/run-warm.ts';
import { filesOf, temporaryFolder } from './export/folder.ts';
import { writeFiles } from '../support/write-files.ts';

const root = join(import.meta.dirname, '../..');
const integration = JSON.stringify(join(root, 'integration/index.ts'));

/** Builds a project of these files; other integrations in it are written in `others`. */
async function build(
  astro: 6 | 7,
  files: Record<string, string>,
  { options = {}, config = '', head = '', configFile = 'astro.config.mjs', isAlone = false } = {},
) {
  const folder = temporaryFolder();
  symlinkSync(join(root, `test/astro-${astro}/node_modules`), join(folder, 'node_modules'));
  const all: Record<string, string> = {
    'package.json': '{"type":"module","private":true}',
    'src/pages/index.astro': page('Home words'),
    [configFile]: `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
      import carrel from ${integration}; ${head}
      const writes = (name, text) => ({ name, hooks: { 'astro:build:done': ({ dir }) => writeFileSync(new URL('late.html', dir), text) } });
      const pushes = (...integrations) => ({ name: 'pushes', hooks: { 'astro:config:setup': ({ updateConfig }) => updateConfig({ integrations }) } });
      const own = carrel(${JSON.stringify(options)});
      export default { devToolbar: { enabled: false }, integrations: [own], ${config} };`,
    ...files,
  };
  writeFiles(folder, all);
  const environment = { ...process.env, NODE_ENV: 'production', VITEST: undefined, ASTRO_TELEMETRY_DISABLED: '1' };
  const program = join(root, `test/astro-${astro}/node_modules/astro/dist/cli/index.js`);
  const run = isAlone ? runAlone : runWarm;
  const { code, stdout, stderr } = await run(program, 'cli', { args: ['', '', 'build'], cwd: folder, env: environment });
  return {
    folder,
    code,
    output: (stdout + stderr).replace(/\u001b\[\d+m/g, ''),
    file: (name: string) => readFileSync(join(folder, name), 'utf8'),
  };
}

function page(words: string): string {
  return `<html lang="en"><head><title>Page</title></head><body><main><p>${words}</p></main></body></html>`;
}

describe.each([6, 7] as const)('with Astro %i', (astro) => {
  test('exports run side by side after all other integrations, include what they write, and leave the site unchanged', async () => {
    const { file, code, folder } = await build(
      astro,
      { 'public/hand.html': page('By hand') },
      {
        config: `integrations: [own, carrel({ out: 'dist-online', deployment: 'cloud' }), writes('late', 'first'), pushes(writes('later', '<title>Late</title><main>Late words</main>'),
          { name: 'notes', hooks: { 'astro:build:done': ({ dir }) => writeFileSync(new URL('../before.json', dir), JSON.stringify(
            Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(new URL(name, dir), 'utf8')])))) } })],`,
      },
    );
    expect(code).toBe(0);
    for (const [out, deployment] of Object.entries({ 'dist-offline': 'client-hosted', 'dist-online': 'cloud' })) {
      const manifest = JSON.parse(file(`${out}/carrel.json`)) as { deployment: string; pages: { path: string }[] };
      expect([manifest.deployment, ...manifest.pages.map(({ path }) => path)]).toEqual([deployment, '', 'hand', 'late']);
    }
    expect(file('dist-offline/late.md')).toContain('Late words');
    expect(filesOf(join(folder, 'dist'))).toEqual(JSON.parse(file('before.json')));
  });
});

test.each([
  [6, 'astro.config.ts', 'const answer: number = 42;'],
  [7, 'astro.config.ts', 'const answer: number = 42;'],
  [7, 'astro.config.mjs', "import words from './words.txt?raw';"],
] as const)(
  'a linked package works in a configuration that Vite loads, and the export replaces the site if configured: Astro %i, %s',
  async (astro, configFile, head) => {
    const script = `import { greeting } from '../greeting.js'; document.title = greeting; fetch('/words.txt');`;
    const { output, code, file, folder } = await build(
      astro,
      {
        'words.txt': 'Words',
        'src/pages/index.astro': `${page('Home words <a href="/nowhere/">Nowhere</a>')}<script>${script}</script>`,
        'src/greeting.js': `export const greeting = ${JSON.stringify('Good morning. '.repeat(500))};`,
      },
      // What another build has loaded, Vite and Node would not load again.
      { configFile, head, isAlone: true, options: { replace: true, report: 'reports/carrel.json' } },
    );
    expect([code, output]).toEqual([0, expect.stringContaining('1 page and its search index are in place of the site')]);
    expect(file('dist/_carrel/app.js')).toContain('Good morning.');
    expect(file('dist/index.html')).toMatch(/_carrel\/reader\.\w+\.js/);
    expect(file('dist/index.md')).toContain('Home words');
    expect(file('dist/carrel.json')).toContain('"path":""');
    expect(existsSync(join(folder, 'dist-offline'))).toBe(false);
    expect(JSON.parse(file('reports/carrel.json'))).toMatchObject({
      pages: 1,
      warnings: [{ kind: 'link-without-target', page: 'index.html' }, { kind: 'script-asks-file' }],
      seconds: { write: expect.any(Number) },
    });
  },
);

test('two exports into one folder are refused before anything is built', async () => {
  const { output, code, folder } = await build(7, {}, { config: 'integrations: [own, carrel({ deployment: "cloud" })],' });
  expect([code, output]).toEqual([1, expect.stringMatching(/OutputTwice[\s\S]*dist-offline[\s\S]*"out" of its own/)]);
  expect(existsSync(join(folder, 'dist'))).toBe(false);
});

test('external loads of pages that may be online, server routes and actions of the site are reported', async () => {
  const { output, code } = await build(
    7,
    {
      'src/pages/index.astro': page('Words <img src="https://images.example.com/a.png" alt="">'),
      'src/pages/account.astro': `---\nexport const prerender = false;\n---\n${page('Account')}`,
      'src/pages/api/now.ts': 'export const prerender = false;\nexport const GET = () => new Response("now");',
      'src/actions/index.ts': `import { defineAction } from 'astro:actions';\nexport const server = { join: defineAction({ handler: () => 'joined' }) };`,
      'entry.mjs': `import { createApp } from 'astro/app/entrypoint';\nexport const app = createApp();`,
    },
    {
      options: { deployment: 'cloud' },
      config: `adapter: { name: 'own', hooks: { 'astro:config:done': ({ setAdapter }) => setAdapter({ name: 'own', entrypointResolution: 'auto',
        serverEntrypoint: new URL('./entry.mjs', import.meta.url), supportedAstroFeatures: { serverOutput: 'stable', staticOutput: 'stable', hybridOutput: 'stable' } }) } },`,
    },
  );
  expect([code, output]).toEqual([0, expect.stringContaining('1 page and its search index are in dist-offline/')]);
  expect(output).toMatch(/images\.example\.com\/a\.png.*\(remote-load\)/);
  expect(output).not.toMatch(/WARN.*images\.example/);
  expect(output).toContain('The page "/account" is answered by a server');
  expect(output).toContain('The endpoint "/api/now" is answered by a server');
  expect(output).toContain('The actions of the site are answered by a server');
});

test('a failed step fails the build, with a hint, and the report of an air-gapped export lists its external loads', async () => {
  const { code, output, file, folder } = await build(
    7,
    { 'src/pages/index.astro': page('Words <img src="https://images.example.com/a.png" alt="">') },
    { options: { deployment: 'air-gapped', report: 'report.json' } },
  );
  expect([code, output]).toEqual([1, expect.stringMatching(/AstroUserError.*OutsideLoads[\s\S]*Hint:/)]);
  expect(output).not.toMatch(/Stack trace|^\s+at /m);
  expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
  expect(JSON.parse(file('report.json'))).toMatchObject({
    error: { code: 'OutsideLoads' },
    egress: [expect.objectContaining({ url: 'https://images.example.com/a.png' })],
  });
});

test.each([6, 7] as const)(
  'an invalid output path is reported with a hint before pages are built, with Astro %i',
  async (astro) => {
    const { output, code, folder } = await build(astro, {}, { options: { out: 'src' } });
    expect(code).not.toBe(0);
    expect(output).toMatch(/AstroUserError.*The "out" folder ".*src" is inside "src\/"[\s\S]*Hint:[\s\S]*Choose another folder/);
    expect(output).not.toMatch(/Stack trace|^\s+at /m);
    expect(existsSync(join(folder, 'dist'))).toBe(false);
    expect(existsSync(join(folder, 'src/pages/index.astro'))).toBe(true);
  },
);

describe('options', () => {
  test.each([
    [{ outt: 'x' }, 'There is no option "outt". Options are out, replace, zip, report, '],
    [{ out: 7 }, '"out" is 7: it must be text.'],
    [{ report: true }, '"report" is true: it must be text.'],
    [{ replace: 'yes' }, '"replace" is "yes": it must be true or false.'],
    [{ content: [] }, '"content" is []: it must not be empty.'],
    [{ name: '' }, '"name" is "": it must not be empty.'],
    [{ search: 'on' }, '"search" is "on": it must be one of "button", "site", "off".'],
    [{ deployment: 'on-premise' }, '"deployment" is "on-premise": it must be one of "cloud", "client-hosted", "air-gapped".'],
    [
      { allow: ['a.example', 'https://cdn.example.com/a?b'] },
      '"allow[1]" is "https://cdn.example.com/a?b": it must be a host, without anything before or after it: write "cdn.example.com".',
    ],
    [{ allow: ['cdn.example.com/fonts'] }, 'write "cdn.example.com".'],
    [{ allow: ['//cdn.example.com'] }, 'write "cdn.example.com".'],
    [{ allow: ['https://*.example.com:8443'] }, 'write "*.example.com:8443".'],
    [
      { allow: ['cdn*.example.com'] },
      '"allow[0]" is "cdn*.example.com": it must be a host, with a wildcard only as its whole first part: "*.example.com".',
    ],
    [{ allow: ['*'] }, 'with a wildcard only as its whole first part'],
    [{ allow: ['two words'] }, '"allow[0]" is "two words": it must be a host, such as "images.example.com".'],
    [{ allow: 'cdn.example.com' }, '"allow" is "cdn.example.com": it must be a list.'],
    [{ language: 'pt_BR' }, '"language" is "pt_BR": it must be a language tag (BCP 47), such as "pt-BR".'],
    [{ language: 'en, fr' }, '"language" is "en, fr": it must be a language tag (BCP 47), such as "en" or "pt-BR".'],
    [
      { languages: { fr: 'fr_FR.UTF-8' } },
      '"languages.fr" is "fr_FR.UTF-8": it must be a language tag (BCP 47), such as "fr-FR".',
    ],
    [{ languages: { 'fr/**': 'fr' } }, 'A key of "languages" is "fr/**": it must be the start of a path, such as "fr".'],
    [
      { versions: { 'https://docs.example.com/v1/': '1.x' } },
      'A key of "versions" is "https://docs.example.com/v1/": it must be the start of a path, such as "v1".',
    ],
    [
      { versions: { '?v=1': '1.x' } },
      'A key of "versions" is "?v=1": it must be the start of a path, such as "fr" or "guides/v1".',
    ],
    [{ content: ['h2 + p'] }, '"h2 + p" of "content" looks at elements beside it'],
    [{ ignore: ['p:has(a)'] }, '":has"'],
  ])('%j is reported before the build', (options, message) => {
    expect(() => carrel(options as never)).toThrow(
      expect.objectContaining({ name: 'AstroUserError', message: expect.stringContaining(message), hint: expect.any(String) }),
    );
  });

  test('all problems are reported at once', () => {
    expect(() => carrel({ outt: 'x', language: '', allow: ['a/b', 'c/d'] } as never)).toThrow(
      /"allow\[0\]" is "a\/b"[^]*"allow\[1\]" is "c\/d"[^]*"language" is ""[^]*no option "outt"/,
    );
  });

  test.each<CarrelOptions>([
    { allow: ['cdn.example.com', 'localhost:4321', '*.example.com', ' CDN.example.com ', 'bücher.example', '10.0.0.1:80'] },
    { language: 'zh-Hant-TW', languages: { '': 'en', fr: 'fr', '/pt-br/': 'pt-BR', 'docs/日本': 'ja' } },
    { versions: { v1: '1.x', 'fr/v1.2': '1.2', '100% sure': 'sure' } },
  ])('%j is valid', (options) => {
    expect(() => carrel(options)).not.toThrow();
  });

  test('a label accepts the same characters as on the command line', () => {
    expect(() => carrel({ label: '../2.0' })).toThrow('must be 1 to 64 letters, digits or . _ + -');
    expect(() => carrel({ label: '2.0-rc.1+build_7' })).not.toThrow();
  });

  test('nothing runs in development or preview', () => {
    const setup = carrel().hooks['astro:config:setup'] as (parameters: object) => void;
    const updateConfig = vi.fn();
    for (const command of ['dev', 'preview', 'sync']) setup({ command, updateConfig });
    expect(updateConfig).not.toHaveBeenCalled();
  });
});
