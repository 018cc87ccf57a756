import { expect, test } from 'vitest';
import { checkLinks, linkChecks } from '../../../integration/export/check-links.ts';
import { sourceLocation } from '../../../integration/page/page-record.ts';
import type { LinkPosition } from '../../../integration/page/page-types.ts';
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
  ['/files/report.pdf#page=2', []],
  ['https://example.com/#x', []],
  ['/guides/use#RUN', ['anchor-without-target /guides/use#RUN Its closest id is "run".']],
  ['/guides/use#gone', ['anchor-without-target /guides/use#gone']],
  ['#gone', ['anchor-without-target #gone']],
  ['/old/path', ['anchor-without-target /old/path']],
  ['/nowhere#run', ['link-without-target /nowhere#run']],
  ['/loop/a', ['link-without-target /loop/a']],
])('a link to %s', (url, expected) => {
  expect(problems([['content', url]], ['own'])).toEqual(expected);
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
  const lineOf = (text: string) => (body.includes(text) ? body.slice(0, body.indexOf(text)).split('\n').length : undefined);
  expect(sourceLocation(pageSource({ path: 'a' }, { file: 'a.md', lineOf }), url)).toEqual({ page: 'a.md', line: 3 });
});
