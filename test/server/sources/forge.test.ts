import { expect, test } from 'vitest';
import { statusRequest, type CommitStatus } from '../../../server/sources/forge.ts';

const status: CommitStatus = {
  commit: 'c'.repeat(40),
  state: 'success',
  name: 'carrel/docs',
  url: 'https://docs',
  text: 'Done.',
};

test.each([
  ['github', 'https://github.com/acme/docs.git', 'https://api.github.com/repos/acme/docs/statuses/'],
  ['github', 'https://git.acme.com/acme/docs', 'https://git.acme.com/api/v3/repos/acme/docs/statuses/'],
  ['github', 'https://github.com.evil.test/acme/docs', 'https://github.com.evil.test/api/v3/repos/acme/docs/statuses/'],
  ['gitlab', 'https://gitlab.com/a/b/c.git/', 'https://gitlab.com/api/v4/projects/a%2Fb%2Fc/statuses/'],
  ['gitea', 'https://acme.com:8443/git/a/b', 'https://acme.com:8443/git/api/v1/repos/a/b/statuses/'],
  ['gitea', 'https://acme.com/a/%C3%BC.git', 'https://acme.com/api/v1/repos/a/%C3%BC/statuses/'],
] as const)('%s: the status of a commit of %s goes to %s', (forge, repository, url) => {
  expect(statusRequest(forge, repository, 'token', status).url).toBe(`${url}${status.commit}`);
});
