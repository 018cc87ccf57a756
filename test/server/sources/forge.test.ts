import { expect, test } from 'vitest';
import { forgeApi, statusBody } from '../../../server/sources/forge.ts';

test.each([
  ['github', 'https://github.com/acme/docs.git', 'https://api.github.com/repos/acme/docs'],
  ['github', 'https://git.acme.com/acme/docs', 'https://git.acme.com/api/v3/repos/acme/docs'],
  ['github', 'https://github.com.evil.test/acme/docs', 'https://github.com.evil.test/api/v3/repos/acme/docs'],
  ['gitlab', 'https://gitlab.com/a/b/c.git/', 'https://gitlab.com/api/v4/projects/a%2Fb%2Fc'],
  ['gitea', 'https://acme.com:8443/git/a/b', 'https://acme.com:8443/git/api/v1/repos/a/b'],
  ['gitea', 'https://acme.com/a/%C3%BC.git', 'https://acme.com/api/v1/repos/a/%C3%BC'],
] as const)('%s: the API of %s is %s', (forge, repository, url) => {
  expect(forgeApi(forge, repository, 'token').url).toBe(url);
});

test('the text of a status has at most 140 characters, and is not cut inside one', () => {
  const status = { commit: 'abc', state: 'failure', name: 'Docs', url: 'https://docs.acme.com/' } as const;
  for (const text of [`${'a'.repeat(138)}😀.`, 'a'.repeat(141)])
    expect(statusBody('github', { ...status, text })).toMatchObject({ description: expect.stringMatching(/^a{138,139}…$/) });
});
