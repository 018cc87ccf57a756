import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { fromCheckout } from '../../../src/site/from-checkout.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { sourceOf } from './site-of.ts';

function git(folder: string, ...args: string[]): void {
  const date = '2026-03-04T05:06:07Z';
  const names = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...names, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: 'ignore',
  });
}

test('pages link to their file in the repository, and say when it last changed', async () => {
  const docs = temporaryFolder();
  const languages = ['en', 'de'].map((language) => ({ language, pages: [`${language}/a`] }));
  const config = {
    name: 'Docs',
    navigation: { languages },
    metadata: { timestamp: true },
    feedback: { suggestEdit: true, raiseIssue: true },
  };
  writeFileSync(join(docs, 'docs.json'), JSON.stringify(config));
  git(docs, 'init', '--quiet', '--initial-branch=main');
  for (const language of ['en', 'de']) {
    execFileSync('mkdir', [join(docs, language)]);
    writeFileSync(join(docs, language, 'a.md'), '---\ntitle: Sowing\n---\n\nIn rows.\n');
  }
  git(docs, 'add', '--all');
  git(docs, 'commit', '--quiet', '--message=x');
  git(docs, 'remote', 'add', 'origin', 'https://reader:s3cret@github.com/acme/garden.git');
  const out = join(temporaryFolder(), 'site');
  await exportDocs({
    ...{
      source: docs,
      out,
      siteUrl: 'https://docs.example.com',
      deployment: 'client-hosted',
      vendor: false,
      cache: false,
      now: 0,
    },
    environment: process.env,
  });
  const german = readFileSync(join(out, 'de/a/index.html'), 'utf8');
  expect(german).toContain('<time datetime="2026-03-04T05:06:07.000Z">4. März 2026</time>');
  expect(german).toContain('"dateModified":"2026-03-04T05:06:07.000Z"');
  expect(german).toMatch(/<a href="https:\/\/github\.com\/acme\/garden\/edit\/main\/de\/a\.md">.*?Diese Seite bearbeiten/s);
  const body = 'body=https%3A%2F%2Fdocs.example.com%2Fde%2Fa%0A%0A';
  expect(german).toContain(`https://github.com/acme/garden/issues/new?title=Sowing&amp;${body}`);
  expect(german).not.toContain('s3cret');
  expect(readFileSync(join(out, 'sitemap.xml'), 'utf8')).toMatch(
    /<loc>https:\/\/docs\.example\.com\/en\/a\/?<\/loc><lastmod>2026-03-04T05:06:07\.000Z<\/lastmod>/,
  );
});

const environment = { ...process.env, CARREL_REPOSITORY: 'https://github.com/acme/docs#main' };

test.each([
  ['nothing is asked for', {}, {}, []],
  ['docs.json asks for edit links', { suggestEdit: true }, {}, [expect.objectContaining({ edit: true, issue: false })]],
  ['docs.json asks for issues', { raiseIssue: true }, {}, [expect.objectContaining({ edit: false, issue: true })]],
  ['docs.json asks, but the export is air-gapped', { suggestEdit: true }, { deployment: 'air-gapped' }, []],
  ['docs.json asks, but the option is off', { suggestEdit: true }, { repository: 'off' }, []],
  [
    'the option is auto',
    {},
    { repository: 'auto' },
    [expect.objectContaining({ url: 'https://github.com/acme/docs', edit: true, issue: true })],
  ],
  [
    'the option names a repository in an air-gapped export',
    { raiseIssue: false },
    { repository: 'https://gitlab.com/a/b', deployment: 'air-gapped' },
    [expect.objectContaining({ url: 'https://gitlab.com/a/b', edit: true, issue: false })],
  ],
] as const)('links to the repository where %s', async (_, feedback, options, expected) => {
  const source = sourceOf(['a.md'], { name: 'Docs', navigation: { pages: ['a'] }, feedback });
  const { repository, problems } = await fromCheckout(source, { ...options, environment });
  expect(problems).toEqual([]);
  expect(repository === undefined ? [] : [repository]).toEqual(expected);
});

test('a repository that cannot be found is reported with the reason, never with its password', async () => {
  const root = temporaryFolder();
  git(root, 'init', '--quiet');
  git(root, 'remote', 'add', 'origin', 'https://reader:s3cret@git.example.com/acme/docs.git');
  const source = { ...sourceOf(['a.md'], null), root };
  const { repository, problems } = await fromCheckout(source, { repository: 'auto', environment: process.env });
  expect(repository).toBeUndefined();
  expect(problems).toEqual([expect.objectContaining({ kind: 'repository-unknown', severity: 'warning' })]);
  expect(problems[0]!.message).toContain('which program runs git.example.com');
  expect(JSON.stringify(problems)).not.toContain('s3cret');
});

test('pages whose date git does not know are counted in one message', async () => {
  const source = {
    ...sourceOf(['a.md', 'b.md'], { name: 'D', navigation: { pages: ['a'] }, metadata: { timestamp: true } }),
    root: temporaryFolder(),
  };
  const { problems } = await fromCheckout(source, { environment: process.env });
  expect(problems).toEqual([expect.objectContaining({ kind: 'change-date-unknown', severity: 'note' })]);
  expect(problems[0]!.message).toContain('2 pages do not say when they last changed');
});
