import { expect, test } from 'vitest';
import { counterpart } from '../../../integration/client/counterpart.ts';

const variants = [
  { language: 'en', docsVersion: 'v2', prefix: '', pages: ['', 'install', 'new'] },
  { language: 'en', docsVersion: 'v1', prefix: 'v1/', pages: ['', 'install'] },
  { language: 'fr', docsVersion: 'v2', prefix: 'fr/', pages: ['accueil', 'install'] },
];

test.each([
  ['install', 'v1', 'v1/install'],
  ['v1/install', '', 'install'],
  ['install', 'fr/accueil', 'fr/install'],
  ['install', 'fr', 'fr/install'],
  ['new', 'v1', null],
  ['install', '', null],
  ['nowhere', 'v1', null],
  ['install', null, null],
])('%j, going to where %j is, arrives at %j', (page, home, expected) => {
  expect(counterpart(page, home, variants)).toBe(expected);
});
