import { describe, expect, test } from 'vitest';
import { checkLinks, linkChecks } from '../../../integration/export/check-links.ts';
import { sourceLocation } from '../../../integration/page/page-record.ts';
import type { LinkCheck, LinkPosition } from '../../../integration/page/page-types.ts';
import { lineAndColumn } from '../../../integration/text/edit.ts';
import { exampleSite, pageSource } from './example-site.ts';

const { resolver } = exampleSite();
const page = {
  title: 'x',
  language: 'en',
  searchable: true,
  inSitemap: true,
  inLlms: true,
  hasMarkdown: true,
  loads: [],
  sections: 1,
};

function problems(links: [LinkPosition, string][], ids: string[] = []) {
  const checks = linkChecks(
    links.map((link) => ({ link, target: resolver.resolve(link[1], 'guides/install') })),
    { path: 'guides/install', ids },
  );
  const found = checkLinks([
    { source: pageSource({ path: 'guides/install' }), facts: { ...page, ids }, checks },
    { source: pageSource({ path: 'guides/use' }), facts: { ...page, ids: ['run', 'café', '2-x'] }, checks: [] },
  ]);
  return found.map(
    ({ kind, message, hint }) => `${kind} ${/"(.*?)"/.exec(message)?.[1]}${/"(.*?)"/.exec(hint ?? '') ? ` ${hint}` : ''}`,
  );
}

test.each([
  ['/guides/use', []],
  ['/guides/use#run', []],
  ['/guides/use#caf%C3%A9', []],
  ['/guides/use#cafe\u0301', []],
  ['/guides/use#', []],
  ['/guides/use#top', []],
  ['/guides/use#:~:text=x', []],
  ['/guides/use#run:~:text=x', []],
  ['#own', []],
  ['/guides/use#code-2:L3-L5', []],
  ['#code-2:L3', []],
  ['#code-2', ['anchor-without-target #code-2']],
  ['/files/report.pdf#page=2', []],
  ['https://example.com/#x', []],
  ['/guides/use#RUN', ['anchor-without-target /guides/use#RUN Its closest id is "run".']],
  ['#cafe\u0301', []],
  ['#cafe%CC%81', []],
  ['#a%20b', []],
  ['/guides/use#x', ['anchor-without-target /guides/use#x']],
  ['/guides/use#gone', ['anchor-without-target /guides/use#gone']],
  ['#gone', ['anchor-without-target #gone']],
  ['/old/path', ['anchor-without-target /old/path']],
  ['/nowhere#run', ['link-without-target /nowhere#run']],
  ['/loop/a', ['link-without-target /loop/a']],
])('a link to %s', (url, expected) => {
  expect(problems([['content', url]], ['own', 'cafe\u0301', 'a%20b'])).toEqual(expected);
});

test('a link that is only in the Markdown is reported once, with its line in the page', () => {
  expect(
    problems([
      ['content', '/nowhere'],
      ['markdown', '/nowhere'],
    ]),
  ).toEqual(['link-without-target /nowhere']);
});

test.each([
  ['[x](/guides/nowhere)', '/guides/nowhere'],
  ['[x](guides/nowhere)', '/guides/nowhere'],
  ['[x](./nowhere#a)', '/guides/nowhere#a'],
  ['[x](nowhere)', '/guides/nowhere'],
  ['<a href="nowhere">', '/guides/nowhere'],
  ['[x](/gu\u00edas/a b)', '/gu%C3%ADas/a%20b'],
])('the line of %s is found by %s', (written, url) => {
  const body = ['no', 'nowhere in words', written, ''].join('\n');
  const positionOf = (text: string) => (body.includes(text) ? lineAndColumn(body, body.indexOf(text)) : undefined);
  expect(sourceLocation(pageSource({ path: 'a' }, { file: 'a.md', positionOf }), url)).toMatchObject({ page: 'a.md', line: 3 });
});

/** What is said about links of the pages "a" and "b", in their order. */
function reported(a: LinkCheck[], b: LinkCheck[] = [], ids: string[] = []): string[] {
  const written = [a, b].map((checks, number) => ({
    source: pageSource({ path: 'ab'[number]! }),
    facts: { ...page, ids: number === 1 ? ids : [] },
    checks,
  }));
  return checkLinks(written).map(({ kind, severity, page, message, hint }) => `${page}: ${severity} ${kind}: ${message} ${hint}`);
}

describe('what a broken URL is decides what is said', () => {
  const wanted = 'files/x';
  const broken = 'is broken: the site does not have this page or file. Correct the link, or add the page or a redirect.';
  const around = ' in the layout (header, navigation or footer)';
  test.each<[LinkPosition, expected: string]>([
    ['content', `a: warning link-without-target: The link "/x" ${broken}`],
    ['layout', `a: warning link-without-target: The link "/x"${around} ${broken}`],
    ['markdown-link', `a: warning link-without-target: The link "/x"${around} ${broken}`],
    [
      'content-file',
      'a: warning asset-without-file: The file "/x" is missing from the site. Add the file files/x or correct the URL.',
    ],
    [
      'layout-file',
      `a: warning asset-without-file: The file "/x"${around} is missing from the site. Add the file files/x or correct the URL.`,
    ],
  ])('%s', (position, expected) => {
    expect(reported([{ position, url: '/x', wanted }])).toEqual([expected]);
  });

  test.each<[LinkPosition, expected: string]>([
    [
      'content',
      'a: warning link-outside-base: "/x" links to a page on the same host, but outside the site\'s base. ' +
        'Set the public URL ("site" in astro.config.mjs, or --site), and the link opens the page there. Or correct the link.',
    ],
    [
      'content-file',
      'a: warning asset-without-file: "/x" is a file on the same host, but outside the site\'s base, so the export does not contain it. ' +
        'Put a copy into the site and correct the URL.',
    ],
  ])('%s, outside the base', (position, expected) => {
    const target = { kind: 'missing', file: 'x', query: '', hash: '', wanted, isOutside: true } as const;
    const checks = linkChecks([{ link: [position, '/x'], target }], { path: 'a', ids: [] });
    expect(reported(checks)).toEqual([expected]);
  });
});

test('the same broken link is reported for each page and place in the content, and once in the layout', () => {
  const link = (position: LinkPosition): LinkCheck => ({ position, url: '/x', wanted: 'x' });
  const of = (lines: string[]) => lines.map((line) => line.replace(/ warning.*"\/x"/, '').replace(/ (is broken|in the).*/, ''));
  expect(of(reported([link('content')], [link('content'), link('layout')]))).toEqual(['a:', 'b:', 'b:']);
  expect(of(reported([link('layout')], [link('layout'), link('markdown-link')]))).toEqual(['a:']);
});

test('a page that is excluded from the export is reported once, with its first link', () => {
  const target = { kind: 'excluded', file: 'x', query: '', hash: '', wanted: '' } as const;
  const [home] = linkChecks([{ link: ['content', '/'], target }], { path: 'a', ids: [] });
  const other = { position: 'content', url: '/other', excluded: 'other' } as const;
  expect(reported([home!, other, home!], [other])).toEqual([
    expect.stringMatching(
      /^a: note link-to-page-left-out: "\/" links to the page "index", which is excluded from this export\. Export/,
    ),
    expect.stringMatching(/^a: note link-to-page-left-out: "\/other" links to the page "other", which/),
  ]);
});

test('URLs that begin with a folder that is not of the site are reported once for each folder, and counted', () => {
  const target = { kind: 'page', file: 'use/index.html', page: 'use', query: '', hash: '' } as const;
  const links = (base: string, ...urls: string[]) =>
    linkChecks(
      urls.map((url) => ({ link: ['content', url], target: { ...target, base } })),
      { path: 'a', ids: [] },
    );
  const counts = reported(links('one', '/one/a'), [
    ...links('two', '/two/a', '/two/b'),
    ...links('three', '/three/a', '/three/b', '/three/c'),
  ]);
  expect(
    counts.map((line) =>
      /^(\w): note link-with-base: "(\S+)" begins with "(\S+)",.* link works\.(.*) If.* --base (\S+)\./.exec(line)?.slice(1),
    ),
  ).toEqual([
    ['a', '/one/a', '/one', '', '/one'],
    ['b', '/two/a', '/two', ' 1 more URL begins with it.', '/two'],
    ['b', '/three/a', '/three', ' 2 more URLs begin with it.', '/three'],
  ]);
});

test.each([
  ['Install-it', ['other', 'install_it'], 'Its closest id is "install_it".'],
  ['ca%66e\u0301', ['caf', 'Café'], 'Its closest id is "Café".'],
  ['install', ['install-2'], 'Did you mean "install-2"?'],
  ['use', ['configuration'], 'Correct the part after the #.'],
  ['---', ['--', ''], 'Correct the part after the #.'],
])('the anchor %s of a page with the ids %j', (anchor, ids, hint) => {
  const lines = reported([{ position: 'content', url: `/b#${anchor}`, page: 'b', anchor }], [], ids);
  expect(lines).toEqual([
    `a: warning anchor-without-target: "/b#${anchor}" links to the page "b", which has no such heading or id. ${hint}`,
  ]);
});

test('an anchor on the page itself, on another page with the same id, and of a file', () => {
  const at = (path: string, kind: 'page' | 'file' = 'page') =>
    ({ kind, file: path, page: path, query: '', hash: '#own' }) as const;
  const own = { path: 'a', ids: ['own'] };
  expect(linkChecks([{ link: ['content', '#own'], target: at('a') }], own)).toEqual([]);
  expect(linkChecks([{ link: ['content', '/x.pdf#own'], target: at('b', 'file') }], own)).toEqual([]);
  expect(linkChecks([{ link: ['content-file', '/b#own'], target: at('b') }], own)).toEqual([]);
  expect(linkChecks([{ link: ['content', '/b#own'], target: at('b') }], own)).toEqual([
    { position: 'content', url: '/b#own', page: 'b', anchor: 'own' },
  ]);
});
