import { expect, test } from 'vitest';
import { expandRedirects, folderPages, redirectFor, redirectRules } from '../../../src/site/redirects.ts';

const pages = new Set(['', 'new', 'new/a', 'new/b/c', 'guides/start', 'other/with space']);

function redirects(...configured: [source: string, destination: string][]) {
  const { rules, problems } = redirectRules(
    configured.map(([source, destination]) => ({ source, destination })),
    'docs.json',
  );
  const expanded = expandRedirects(rules, pages, (path) => path === 'files/a.pdf', 'docs.json');
  return {
    rules,
    list: expanded.redirects.map(({ from, to }) => `${from} → ${to}`),
    problems: [...problems, ...expanded.problems],
  };
}

test.each<[string, string, string, string[]]>([
  ['a plain one', '/old', '/new', ['old → /new']],
  ['one without slashes at the start', 'old', 'new', ['old → /new']],
  ['one to another site', '/blog', 'https://example.com/blog', ['blog → https://example.com/blog']],
  ['one to a heading', '/old', '/new/a#part', ['old → /new/a#part']],
  ['one to a file', '/old.pdf', '/files/a.pdf', ['old.pdf → /files/a.pdf']],
  ['one with spaces', '/Old Pages/a b', '/other/with space', ['Old Pages/a b → /other/with space']],
  ['one with encoded spaces', '/Old%20Pages', '/other/with%20space', ['Old Pages → /other/with space']],
  ['one to the home page', '/welcome', '/', ['welcome → /']],
  ['any depth, captured', '/old/:slug*', '/new/:slug*', ['old → /new', 'old/a → /new/a', 'old/b/c → /new/b/c']],
  ['one segment', '/old/:page', '/new/:page', ['old/a → /new/a']],
  ['any rest', '/old/*', '/new/*', ['old → /new', 'old/a → /new/a', 'old/b/c → /new/b/c']],
  ['the rest after a prefix', '/old/x-*', '/guides/st*', ['old/x-art → /guides/start']],
  ['any rest to one page', '/old/*', '/new', ['old → /new']],
])('expands %s over the known pages', (_, source, destination, list) => {
  const result = redirects([source, destination]);
  expect(result.list).toEqual(list);
  expect(result.problems).toEqual([]);
});

test('follows chains to their end', () => {
  expect(redirects(['/a', '/b'], ['/b', '/c'], ['/c', '/new']).list).toEqual(['a → /new', 'b → /new', 'c → /new']);
});

test.each<[string, [string, string][], string]>([
  [
    'a loop',
    [
      ['/a', '/b'],
      ['/b', '/a'],
    ],
    'redirect-loop',
  ],
  ['one to itself', [['/a', '/a/']], 'redirect-loop'],
  ['a hash in the source', [['/a#b', '/new']], 'redirect-malformed'],
  ['a question mark in the source', [['/a?b=c', '/new']], 'redirect-malformed'],
  ['a source that is not a path', [['/a](https://example.com', '/new']], 'redirect-malformed'],
  ['a source at another site', [['https://example.com/a', '/new']], 'redirect-malformed'],
  ['a destination that runs code', [['/a', 'JavaScript:alert(1)']], 'redirect-malformed'],
  ['a destination that is data', [['/a', 'data:text/html,x']], 'redirect-malformed'],
  ['a destination with a host but no scheme', [['/a', '//evil.example/x']], 'redirect-malformed'],
  ['a destination with backslashes', [['/a', '\\\\evil.example\\x']], 'redirect-malformed'],
  ['a destination with a slash and a backslash', [['/a', '/\\evil.example']], 'redirect-malformed'],
  ['a destination on a network disk', [['/a', 'file://evil.example/x']], 'redirect-malformed'],
  ['no destination', [['/a', ' ']], 'redirect-malformed'],
  ['a destination without a page', [['/a', '/gone']], 'redirect-without-target'],
  ['wildcards without end', [[`/${'*a'.repeat(12)}`, '/new']], 'redirect-malformed'],
  ['wildcards side by side', [['/:a:b', '/new']], 'redirect-malformed'],
  ['a source that is a page', [['/guides/start', '/new']], 'redirect-from-page'],
])('skips %s and reports it', (_, configured, kind) => {
  const result = redirects(...configured);
  expect(result.list).toEqual([]);
  expect(new Set(result.problems.map((problem) => problem.kind))).toEqual(new Set([kind]));
  expect(result.problems[0]).toMatchObject({
    severity: 'warning',
    page: 'docs.json',
    message: expect.stringContaining(configured[0]![0]),
  });
});

test('a pattern that matches existing and moved pages does not redirect the existing ones', () => {
  const result = redirects(['/:any*', '/new/:any*']);
  expect(result.list).toEqual(['a → /new/a', 'b/c → /new/b/c']);
});

test('a matched path never becomes the host of a destination', () => {
  const { rules } = redirects(['/old/:rest*', '/:rest*'], ['/go/:rest*', '/:rest*']);
  expect(redirectFor(rules, pages, '/old//evil.example/x')).toBe('/evil.example/x');
  expect(redirectFor(rules, pages, '/go/https://evil.example/x')).toBe('/https://evil.example/x');
});

test.each([
  ['/old/anything/at/all', '/new'],
  ['old/x', '/new'],
  ['/blog/2020/post', 'https://example.com/2020/post'],
  ['/chain', '/new'],
  ['/loop', undefined],
  ['/longer/x', undefined],
  ['/new', undefined],
])('a link to %s opens %s', (path, expected) => {
  const { rules } = redirects(
    ['/old/*', '/new'],
    ['/blog/:rest*', 'https://example.com/:rest*'],
    ['/chain', '/old/link'],
    ['/loop', '/loop'],
    ['/longer/:any*', '/longer/y/:any*'],
  );
  expect(redirectFor(rules, pages, path)).toBe(expected);
});

test('a folder without a page opens its first page, unless there is another redirect', () => {
  const listed = ['', 'lamps/overview', 'lamps/oil/wick', 'lamps/oil/filling', 'rooms', 'rooms/attic', 'old/cellar'].map(
    (path) => ({ path }),
  );
  const { rules } = redirectRules([{ source: '/old', destination: '/rooms' }], 'docs.json');
  expect([...folderPages(listed, rules)]).toEqual([
    ['lamps', 'lamps/overview'],
    ['lamps/oil', 'lamps/oil/wick'],
  ]);
});

test('of a rule with and one without a wildcard, the first that matches is used', () => {
  const { rules } = redirects(
    ['/old/*', '/new/:splat'],
    ['/old/a', '/guides/start'],
    ['/other/a', '/new/a'],
    ['/other/*', '/new'],
  );
  expect(redirectFor(rules, pages, 'old/a')).toBe('/new/:splat');
  expect(redirectFor(rules, pages, 'other/a')).toBe('/new/a');
  expect(redirectFor(rules, pages, 'other/b')).toBe('/new');
});
