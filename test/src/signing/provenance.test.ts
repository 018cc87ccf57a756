import { expect, test } from 'vitest';
import { provenanceOf } from '../../../src/signing/provenance.ts';

const made = async (repository: string, parameters: Record<string, unknown> = {}) => {
  const times = { started: new Date(0), finished: new Date(0) };
  const environment = { CARREL_REPOSITORY: repository, CARREL_COMMIT: 'a'.repeat(40) };
  const { predicate } = await provenanceOf('{}', [], { source: '.', parameters, environment, ...times });
  return predicate.buildDefinition;
};

test.each([
  ['https://git.example.com/a.git#main:docs/', 'git+https://git.example.com/a.git@main'],
  ['https://user:secret@git.example.com/a.git', 'git+https://git.example.com/a.git'],
  ['https://us@er:secret@git.example.com/a.git', 'git+https://git.example.com/a.git'],
  ['HTTPS://user:secret@git.example.com/a.git', 'git+https://git.example.com/a.git'],
  ['https://git.example.com/a.git?token=secret', 'git+https://git.example.com/a.git'],
  ['https://user:sec/ret@git.example.com/a.git', undefined],
  ['ssh://git@git.example.com/a.git', 'git+ssh://git.example.com/a.git'],
  ['git@git.example.com:acme/a.git', 'git+ssh://git.example.com/acme/a.git'],
  ['user:secret@git.example.com:acme/a.git', undefined],
  ['/srv/private/a.git', undefined],
  ['file:///srv/private/a.git', undefined],
])('names %s without what is secret', async (address, uri) => {
  expect((await made(address)).resolvedDependencies[0]!.uri).toBe(uri);
});

test('names options without credentials', async () => {
  const parameters = {
    site: 'https://docs.example.com',
    'embeddings-url': 'http://user:secret@models.example.com/v1',
    vendor: true,
  };
  expect((await made('', parameters)).externalParameters).toEqual({
    site: 'https://docs.example.com',
    'embeddings-url': 'http://models.example.com/v1',
    vendor: true,
  });
});
