import { expect, test } from 'vitest';
import { exported, page } from './export-files.ts';

const site = { site: 'https://docs.example.com', base: '/docs/' };
const index =
  '<?xml version="1.0"?><sitemapindex><sitemap><loc>https://docs.example.com/docs/sitemap-0.xml</loc></sitemap></sitemapindex>';
const list = '<?xml version="1.0"?><urlset><url><loc>https://docs.example.com/docs/</loc></url></urlset>';
const robots = (...names: string[]) =>
  `User-agent: *\nAllow: /\n\n${names.map((name) => `Sitemap: https://docs.example.com/docs/${name}\n`).join('')}`;

test.each<[string, Record<string, string>, string[]]>([
  ['an index of them', { 'sitemap-index.xml': index, 'sitemap-0.xml': list }, ['sitemap-index.xml']],
  ['lists without an index', { 'sitemap-0.xml': list, 'sitemap-1.xml': list }, ['sitemap-0.xml', 'sitemap-1.xml']],
  ['one of the usual name', { 'sitemap.xml': list }, ['sitemap.xml']],
])('a site with sitemaps keeps them and gets no other, and robots.txt lists them: %s', async (_, given, listed) => {
  const { files } = await exported({ 'index.html': page('Home <a href="/docs/sitemap.xml">all</a>'), ...given }, {}, site);
  const sitemaps = Object.keys(files).filter((file) => file.includes('sitemap'));
  expect(sitemaps).toEqual(Object.keys(given).sort());
  for (const name of sitemaps) expect(files[name]).toBe(given[name]);
  expect(files['robots.txt']).toBe(robots(...listed));
});

test('a site without a sitemap gets one, even if another file has its name', async () => {
  const { files } = await exported({ 'index.html': page('Home'), 'sitemap-style.xml': '<style/>' }, {}, site);
  expect(files['sitemap.xml']).toContain('<loc>https://docs.example.com/docs/</loc>');
  expect(files['robots.txt']).toBe(robots('sitemap.xml'));
});

test('the site’s own robots.txt stays', async () => {
  const given = { 'index.html': page('Home'), 'sitemap-index.xml': index, 'robots.txt': 'User-agent: *\nDisallow: /\n' };
  const { files } = await exported(given, {}, site);
  expect(files['robots.txt']).toBe(given['robots.txt']);
});

test('a link to a sitemap that is not in the export is reported', async () => {
  const home = page('<a href="/docs/sitemap.xml">all</a>');
  const { problems } = await exported({ 'index.html': home, 'sitemap-index.xml': index }, {}, site);
  expect(problems).toEqual(['link-without-target index.html']);
});
