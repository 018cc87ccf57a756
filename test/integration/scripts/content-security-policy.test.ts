// A page's own policy goes on holding: what it allowed runs, what it forbade does not.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exported, open, page, places } from './built-site.ts';

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = (text: string) => `<meta http-equiv="Content-Security-Policy" content="${text}">`;

const inline = 'document.documentElement.dataset.inline = "ran"';
const inlineModule = 'import { b } from "/docs/b.js";\ndocument.documentElement.dataset.module = b';
const style = '#dot { background: url("/docs/dot.svg") }';
const body = `<p id="dot">dot</p><script>${inline}</script><script>document.documentElement.dataset.forbidden = "ran"</script>
  <script type="module">${inlineModule}</script><script type="module" src="/docs/a.js"></script>`;
const files = {
  'a.js': 'import { b } from "./b.js"; document.documentElement.dataset.a = b; document.documentElement.dataset.done = "yes"',
  'b.js': 'export const b = "ran"',
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

test.each([
  [
    'hashes and files of the site',
    `default-src 'none'; img-src 'self'; script-src 'self' ${digest(inline)} ${digest(inlineModule)}; style-src ${digest(style)}`,
  ],
  ['hashes in a policy for everything', `default-src 'self' ${digest(inline)} ${digest(inlineModule)} ${digest(style)}`],
])('%s', async (_, text) => {
  const site = await exported({ ...files, 'guide/index.html': page(body, `${policy(text)}<style>${style}</style>`) }, '/docs/');
  expect(site.problems.filter(({ kind }) => kind.startsWith('policy'))).toEqual([]);
  for (const place of places) {
    const { until, value, faults } = await open(site, place, 'guide/index.html');
    await until('document.documentElement.dataset.done');
    expect(await value('({ ...document.documentElement.dataset })')).toEqual({
      inline: 'ran',
      module: 'ran',
      a: 'ran',
      done: 'yes',
    });
    expect(await value('getComputedStyle(document.getElementById("dot")).backgroundImage')).toMatch(/dot\.svg"\)$/);
    // The one inline script that it does not name.
    expect(faults.filter((fault) => /inline script/.test(fault))).toHaveLength(1);
    expect(faults, place).toHaveLength(1);
  }
});

test('a policy with strict-dynamic allows the files of the site instead, which cannot have hashes', async () => {
  const loader = 'const s = document.createElement("script"); s.src = "/docs/late.js"; document.head.append(s)';
  const text = `script-src 'strict-dynamic' ${digest(loader)} ${digest(inlineModule)} https:`;
  const site = await exported(
    { ...files, 'late.js': '', 'index.html': page(`<script type="module">${inlineModule}</script>`, policy(text)) },
    '/docs/',
  );
  const { until, faults } = await open(site, 'from file://');
  await until('document.documentElement.dataset.module === "ran"');
  expect(faults).toEqual([]);
  expect(readFileSync(join(site.offline, 'index.html'), 'utf8')).toMatch(
    /content="script-src 'sha256-[^"]*' https: 'self' 'sha256-[^"]*"/,
  );
});

test('a policy with unsafe-inline gets no hash, which would disable it', async () => {
  const site = await exported({ ...files, 'index.html': page(body, policy("script-src 'self' 'unsafe-inline'")) }, '/docs/');
  const { until, value, faults } = await open(site, 'from file://');
  await until('document.documentElement.dataset.done');
  expect(await value('document.documentElement.dataset.forbidden')).toBe('ran');
  expect(faults).toEqual([]);
});

test('a policy without scripts is reported on a page with scripts, and stays unchanged', async () => {
  const site = await exported(
    {
      ...files,
      'index.html': page(body, `\n${policy("default-src 'none'")}`),
      'plain/index.html': page('', policy("default-src 'none'")),
      'words/index.html': page('', policy("script-src 'self' ; object-src 'none'")),
    },
    '/docs/',
  );
  expect(site.problems.filter(({ kind }) => kind.startsWith('policy'))).toEqual([
    {
      kind: 'policy-forbids-scripts',
      severity: 'warning',
      page: 'index.html',
      line: 2,
      message: `The page's Content-Security-Policy says "default-src 'none'", so none of its scripts runs.`,
      hint: "Allow 'self' in script-src if they should run.",
    },
  ]);
  expect(readFileSync(join(site.offline, 'index.html'), 'utf8')).toContain(policy("default-src 'none'"));
  expect(readFileSync(join(site.offline, 'words/index.html'), 'utf8')).toContain(policy("script-src 'self' ; object-src 'none'"));
});

const found = `[...document.querySelectorAll('carrel-search, carrel-search-dialog')].some((element) => /heron/.test(element.shadowRoot?.textContent))`;

test('search works under policies', async () => {
  const policies = {
    'hashes only': `script-src ${digest(inline)}`,
    'nothing else than hashes': `default-src 'none'; script-src ${digest(inline)}`,
    'no pictures': `default-src 'none'; img-src 'none'; script-src 'self' ${digest(inline)}; style-src 'self'`,
    'pictures of the site': `default-src 'self' ${digest(inline)}`,
    'pictures of hosts': `img-src * ; script-src-elem https://a.example ${digest(inline)}`,
    'no scripts in attributes': `script-src-attr 'none'; script-src 'strict-dynamic' ${digest(inline)}`,
  };
  const pages = Object.entries(policies).map(([name, text], index) => {
    const html = page(`<p>A heron by the water.</p><script>${inline}</script>`, policy(text));
    return { name, file: `${index}/index.html`, html };
  });
  const site = await exported(Object.fromEntries(pages.map(({ file, html }) => [file, html])), '/', { search: 'button' });
  const visits = pages.map((page) => [page, 'from file://'] as const);
  for (const [{ name, file }, place] of [...visits, [pages[1]!, 'over http'] as const]) {
    const { press, value, faults } = await open(site, place, file);
    // Waiting in the page is an eval, which the policy refuses.
    const until = (expression: string) => expect.poll(() => value(expression), { message: `${name} ${place}` }).toBeTruthy();
    await until('document.documentElement.dataset.inline');
    await press('Control+k');
    await until('document.activeElement?.shadowRoot?.activeElement?.tagName === "INPUT"');
    for (const key of 'heron') await press(key);
    await until(found);
    expect(faults, `${name} ${place}`).toEqual([]);
  }
});

test('a policy is extended for search only', async () => {
  const policyOf = async (text: string, search: 'button' | 'off') => {
    const site = await exported({ 'index.html': page('<p>Words.</p>', policy(text)) }, '/', { search });
    return /Policy" content="([^"]*)"/.exec(readFileSync(join(site.offline, 'index.html'), 'utf8'))![1];
  };
  const strict = "default-src 'none'; script-src 'sha256-x'; img-src https://a.example";
  expect(await policyOf(strict, 'button')).toBe(
    "default-src 'none'; script-src 'sha256-x' 'self'; img-src https://a.example data:",
  );
  expect(await policyOf("default-src 'self'", 'button')).toBe("default-src 'self'; img-src 'self' data:");
  expect(await policyOf("default-src 'none'; script-src 'self'", 'button')).toBe(
    "default-src 'none'; script-src 'self'; img-src data:",
  );
  expect(await policyOf("img-src 'none'", 'button')).toBe('img-src data:');
  expect(await policyOf("style-src 'self'", 'button')).toBe("style-src 'self'");
  for (const text of [strict, "default-src 'self'"]) expect(await policyOf(text, 'off')).toBe(text);
  expect(await policyOf('default-src https:', 'button')).toBe(
    "default-src https:; script-src https: 'self'; img-src https: data:",
  );
  // Browsers pass over the second of a name.
  expect(await policyOf("default-src 'self'; default-src 'none'; img-src 'self'; img-src 'none'", 'button')).toBe(
    "default-src 'self'; default-src 'none'; img-src 'self' data:; img-src 'none'",
  );
  // No script of ours runs there either.
  expect(await policyOf("default-src 'none'", 'button')).toBe("default-src 'none'");
});
