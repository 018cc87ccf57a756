import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carrel } from '../../src/cli/carrel.ts';
import { page, siteOf } from './export-files.ts';

/** What a whole export, with all its threads, does with the files of a site. */
async function workOf(files: Record<string, string>) {
  const site = siteOf(files);
  const log = join(site, '..', 'work');
  const hook = join(import.meta.dirname, 'counted-process.ts');
  const { code, stderr } = await carrel(['export', site, '--out', join(site, '..', 'offline')], {
    env: { ...process.env, SITE: site, WORK: log, NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${hook}` },
  });
  expect(code, stderr).toBe(0);
  const work = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ['read', string] | ['tokenized', number]);
  return {
    reads: work.flatMap(([kind, file]) => (kind === 'read' && file.endsWith('.html') ? [file] : [])).sort(),
    tokenized: work.reduce((sum, [kind, length]) => (kind === 'tokenized' ? sum + length : sum), 0),
  };
}

const guide = (count: number, make: (number: number) => string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [i === 0 ? 'index.html' : `p${i + 100}.html`, make(i)] as [string, string]),
  );

const lengthOf = (files: Record<string, string>) => Object.values(files).reduce((sum, text) => sum + text.length, 0);

test.each([
  ['a few', 12],
  ['so many that threads read them', 130],
])('each page of a site is read once and tokenized once: %s', async (_, count) => {
  const files = guide(count, (i) =>
    page(`<h1>Page ${i}</h1><p>Words ${i}, <a href="/p${i + 101}.html">on</a>.</p>`, {
      title: `Page ${i} | Ferry`,
      head: '<meta name="generator" content="Hugo 0.152"><meta name="description" content="A page.">',
    }),
  );
  files['404.html'] = page('<h1>Not found</h1>');
  const { reads, tokenized } = await workOf(files);
  expect(reads).toEqual(Object.keys(files).sort());
  // The script that finds the root of the site is part of that page.
  const added = tokenized - lengthOf(files);
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThan(1000);
});

test('the application of a generator is left out in the same pass, except on the home page, which names the generator', async () => {
  const files = guide(60, (i) =>
    page(`<h1>Page ${i}</h1><p>Words ${i}.</p>`, {
      title: `Page ${i} | Ferry`,
      head: '<meta name="generator" content="VitePress v1.6.4"><script type="module" src="/assets/app.Dk3x_1-a.js"></script>',
    }),
  );
  const { reads, tokenized } = await workOf(files);
  expect(reads).toEqual(Object.keys(files).sort());
  expect(tokenized).toBe(lengthOf(files) + files['index.html']!.length);
});
