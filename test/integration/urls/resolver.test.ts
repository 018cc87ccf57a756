import { describe, expect, test } from 'vitest';
import { checkLinks, linkChecks } from '../../../integration/export/check-links.ts';
import { safeNames } from '../../../integration/urls/safe-names.ts';
import { themeRules } from '../../../integration/export/theme-rules.ts';
import { createResolver } from '../../../integration/urls/resolver.ts';
import type { ResolverInput } from '../../../integration/urls/site-paths.ts';
import { pageSource } from '../export/example-site.ts';

const pages = ['', 'en/quickstart', 'en/guides/install'];
const files = ['images/x.png', 'files/report.pdf'];
const redirects = [{ from: '/en/old', to: '/en/quickstart' }];

function resolverOf({ base, siteUrl, ...more }: Partial<ResolverInput> & { base?: string; siteUrl?: string } = {}) {
  return createResolver({
    names: safeNames(pages, files, []),
    pages: pages.map((path) => ({ path })),
    files,
    redirects,
    home: '',
    rules: themeRules({ base, siteUrl }).urls,
    ...more,
  });
}

const meaning = ({ kind, file, query, hash }: ReturnType<ReturnType<typeof resolverOf>['resolve']>) =>
  `${kind} ${file}${query}${hash}`;

describe('a URL that starts with a folder that the site does not have', () => {
  test.each([
    ['/docs/en/quickstart', 'page en/quickstart/index.html'],
    ['/docs/en/quickstart?a=1#part', 'page en/quickstart/index.html?a=1#part'],
    ['/docs/en/old', 'page en/quickstart/index.html'],
    ['/docs/images/x.png', 'file images/x.png'],
    ['/docs/gone', 'missing docs/gone'],
    ['/docs', 'missing docs'],
    ['/docs/', 'missing docs'],
    ['/en/images/x.png', 'missing en/images/x.png'],
    ['/de/en/quickstart', 'missing de/en/quickstart'],
    ['/v2/en/quickstart', 'missing v2/en/quickstart'],
  ])('%s means %s', (url, expected) => {
    expect(meaning(resolverOf().resolve(url, ''))).toBe(expected);
  });

  test.each([
    ['/docs/en/quickstart', 'page en/quickstart/index.html'],
    ['/docs', 'page index.html'],
    ['/docs/', 'page index.html'],
    ['/documents/en/quickstart', 'missing documents/en/quickstart'],
  ])('%s means %s where the site is published in /docs', (url, expected) => {
    for (const more of [{ base: 'docs' }, { siteUrl: 'https://example.com/docs/' }])
      expect(meaning(resolverOf(more).resolve(url, ''))).toBe(expected);
  });

  test('is reported once for the site, unless the base is given', () => {
    const urls = ['/docs/en/quickstart', '/docs/images/x.png', '/docs/en/guides/install#gone'];
    const page = {
      title: 'x',
      language: 'en',
      searchable: true,
      inSitemap: true,
      inLlms: true,
      hasMarkdown: true,
      loads: [],
      sections: 1,
      ids: [],
    };
    const problems = (more: Parameters<typeof resolverOf>[0]) => {
      const checks = linkChecks(
        urls.map((url) => ({ link: ['content', url], target: resolverOf(more).resolve(url, '') })),
        { path: '', ids: [] },
      );
      return checkLinks([{ source: pageSource({ path: 'en/guides/install' }), facts: page, checks }]).map(
        ({ kind, message }) => `${kind}: ${message}`,
      );
    };
    const anchor =
      'anchor-without-target: "/docs/en/guides/install#gone" links to the page "en/guides/install", which has no such heading or id.';
    expect(problems({})).toEqual([
      anchor,
      'link-with-base: "/docs/en/quickstart" begins with "/docs", which is not a folder of the site; Carrel ignored this prefix, and the link works. 2 more URLs begin with it.',
    ]);
    expect(problems({ base: 'docs' })).toEqual([anchor]);
  });
});

test.each([
  ['/en/guides/images/x.png', 'file images/x.png'],
  ['/en/guides/files/report.pdf', 'file files/report.pdf'],
  ['/en/guides/en/old', 'page en/quickstart/index.html'],
  ['/en/guides/install/images/x.png', 'file images/x.png'],
  ['/en/guides/gone', 'missing en/guides/gone'],
])('%s, without its first slash on en/guides/install, means %s', (url, expected) => {
  expect(meaning(resolverOf().resolve(url, 'en/guides/install'))).toBe(expected);
});

test.each([
  ['/img/a.png', 'file static/img/a.png'],
  ['/b.png', 'file public/b.png'],
  ['/cli/run', 'page docs/cli/run/index.html'],
  ['/en/.gitbook/assets/c.png', 'file en/gitbook/assets/c.png'],
  ['/en/images/d.png', 'file en/guides/images/d.png'],
  ['/en/guides/e.png', 'file en/guides/install/e.png'],
  ['/images/d.png', 'missing images/d.png'],
])('%s on en/guides/install means %s, where other generators publish it', (url, expected) => {
  const files = [
    'static/img/a.png',
    'public/b.png',
    'en/gitbook/assets/c.png',
    'en/guides/images/d.png',
    'en/guides/install/e.png',
  ];
  const more = [...pages, 'docs/cli/run'];
  const resolver = resolverOf({ names: safeNames(more, files, []), pages: more.map((path) => ({ path })), files });
  expect(meaning(resolver.resolve(url, 'en/guides/install'))).toBe(expected);
});

test.each([
  ['/azure/x?a=1#b', undefined, 'missing azure/x?a=1#b', true],
  ['/azure/x?a=1#b', 'https://example.com/docs/', 'elsewhere https://example.com/azure/x?a=1#b', true],
  ['/docs/en/quickstart', 'https://example.com/docs/', 'page en/quickstart/index.html', undefined],
  ['/en/gone', undefined, 'missing en/gone', undefined],
  ['/images/gone.png', 'https://example.com/', 'missing images/gone.png', undefined],
])('%s means %s with the site %s, where URLs can belong to other sites on the host', (url, siteUrl, expected, isOutside) => {
  for (const page of ['', 'en/guides/install']) {
    const target = resolverOf({ rules: themeRules({ siteUrl, isPartOfHost: true }).urls }).resolve(url, page);
    expect(meaning(target)).toBe(expected);
    expect(target.isOutside).toBe(isOutside);
  }
});
