import { describe, expect, test } from 'vitest';
import { editUrl, issueUrl, parseRepository } from '../../../src/source/repository.ts';

const github = 'https://github.com/acme/docs';

describe('parseRepository', () => {
  test.each([
    [github, { program: 'github', url: github, folder: '' }],
    [`${github}.git`, { program: 'github', url: github, folder: '' }],
    [`${github}/#main:/site/docs/`, { program: 'github', url: github, ref: 'main', folder: 'site/docs' }],
    [`${github}#HEAD:docs`, { program: 'github', url: github, folder: 'docs' }],
    [`${github}#:docs`, { program: 'github', url: github, folder: 'docs' }],
    ['https://reader:s3cret@github.com/acme/docs.git', { program: 'github', url: github, folder: '' }],
    ['git@github.com:acme/docs.git#next', { program: 'github', url: github, ref: 'next', folder: '' }],
    [
      'ssh://git@gitlab.example.com:2222/acme/web/docs.git',
      { program: 'gitlab', url: 'https://gitlab.example.com/acme/web/docs', folder: '' },
    ],
    ['https://codeberg.org/acme/docs', { program: 'gitea', url: 'https://codeberg.org/acme/docs', folder: '' }],
    ['git@bitbucket.org:acme/docs', { program: 'bitbucket', url: 'https://bitbucket.org/acme/docs', folder: '' }],
    [
      'gitea+https://git.example.com:8443/acme/docs',
      { program: 'gitea', url: 'https://git.example.com:8443/acme/docs', folder: '' },
    ],
  ])('reads %s', (text, expected) => expect(parseRepository(text)).toEqual(expected));

  test.each([
    ['/srv/git/docs.git', 'is not the https or ssh URL'],
    ['file:///srv/git/docs.git', 'is not the https or ssh URL'],
    ['javascript://github.com/acme/docs', 'is not the https or ssh URL'],
    ['', 'is not the https or ssh URL'],
    ['https://github.com/acme', 'does not name a repository'],
    ['https://git.example.com/acme/docs', 'which program runs git.example.com'],
    ['svn+https://git.example.com/acme/docs', 'names "svn"'],
    ['constructor+https://git.example.com/acme/docs', 'names "constructor"'],
  ])('says what is wrong with %s', (text, reason) => expect(parseRepository(text)).toContain(reason));

  test('says nothing of the password in a URL that it refuses', () => {
    expect(parseRepository('https://reader:s3cret@git.example.com/acme/docs')).not.toContain('s3cret');
  });
});

test.each([
  [`${github}#main:docs`, `${github}/edit/main/docs/a%20b/c%23.md`],
  [github, `${github}/edit/HEAD/a%20b/c%23.md`],
  ['https://gitlab.com/acme/docs#feature/x', 'https://gitlab.com/acme/docs/-/edit/feature/x/a%20b/c%23.md'],
  ['https://codeberg.org/acme/docs#main', 'https://codeberg.org/acme/docs/_edit/main/a%20b/c%23.md'],
  ['https://codeberg.org/acme/docs', undefined],
  ['https://bitbucket.org/acme/docs#main', 'https://bitbucket.org/acme/docs/src/main/a%20b/c%23.md?mode=edit'],
])('a file of %s is edited at %s', (text, expected) => {
  const repository = parseRepository(text);
  if (typeof repository === 'string') throw new Error(repository);
  expect(editUrl(repository, 'a b/c#.md')).toBe(expected);
});

test.each([
  [github, `${github}/issues/new?title=A+%26+B&body=%2Fa`],
  [
    'https://gitlab.com/acme/docs',
    'https://gitlab.com/acme/docs/-/issues/new?issue%5Btitle%5D=A+%26+B&issue%5Bdescription%5D=%2Fa',
  ],
  ['https://codeberg.org/acme/docs', 'https://codeberg.org/acme/docs/issues/new?title=A+%26+B&body=%2Fa'],
  ['https://bitbucket.org/acme/docs', undefined],
])('an issue of %s is opened at %s', (text, expected) => {
  const repository = parseRepository(text);
  if (typeof repository === 'string') throw new Error(repository);
  expect(issueUrl(repository, 'A & B', '/a')).toBe(expected);
});
