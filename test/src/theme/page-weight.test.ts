import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixtureExports } from '../../support/fixture-exports.ts';

let root: string;
beforeAll(async () => {
  root = await fixtureExports();
});

const weights = new Map<string, number>();
const weight = async (file: string): Promise<number> => {
  const known = weights.get(file) ?? gzipSync(await readFile(file)).length;
  weights.set(file, known);
  return known;
};

/** Compressed bytes of the HTML, the stylesheets and the scripts that the HTML names, and of the main content in it, by page. */
async function pagesOf(site: string) {
  const folder = path.join(root, site);
  const { pages } = JSON.parse(await readFile(path.join(folder, 'carrel.json'), 'utf8')) as {
    pages: { file: string }[];
  };
  return Promise.all(
    pages.map(async (page) => {
      const file = path.join(folder, page.file);
      const html = await readFile(file, 'utf8');
      const loads = [...html.matchAll(/<(?:script[^>]*\ssrc|link rel="stylesheet" href)="([^"]+)"/g)].map(([, url]) => url!);
      const parts = await Promise.all([file, ...loads.map((url) => path.join(file, '..', url))].map(weight));
      const around = gzipSync(html.replace(/<main[\s\S]*<\/main>/, '')).length;
      return {
        file: page.file,
        loads: loads.length,
        total: parts.reduce((sum, bytes) => sum + bytes, 0),
        content: parts[0]! - around,
        heavy: /class="[^"]*c-(?:diagram|formula|try)\b/.test(html),
      };
    }),
  );
}

describe('what a page loads at first view', () => {
  test.each(['docs-json-site', 'layout', 'versions-languages', 'plain-folder', 'arabic', 'manual'])(
    'is at most 30 KB compressed without fonts, if it has at most 5 KB of content and no diagram, formula or playground: %s',
    async (site) => {
      const pages = (await pagesOf(site)).filter(({ heavy, content }) => !heavy && content <= 5 * 1024);
      expect(pages.length).toBeGreaterThan(3);
      for (const { file, loads, total } of pages) {
        expect(loads, file).toBeGreaterThan(3);
        expect(total, file).toBeLessThanOrEqual(30 * 1024);
      }
    },
  );

  test('is at most 45 KB of fonts, of which at most 20 KB are for code', async () => {
    const folder = path.join(root, 'docs-json-site/_carrel/fonts');
    const sizes = await Promise.all(
      (await readdir(folder))
        .filter((name) => /^(?:inter-latin-wght-normal-400|geist-mono-latin)/.test(name))
        .sort()
        .map(async (name) => (await readFile(path.join(folder, name))).length),
    );
    expect(sizes).toHaveLength(2);
    const [code, text] = sizes as [number, number];
    expect(code).toBeLessThanOrEqual(20 * 1024);
    expect(code + text).toBeLessThanOrEqual(45 * 1024);
  });
});
