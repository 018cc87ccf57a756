import { expect, test } from 'vitest';
import { ignoreRules } from '../../../src/source/walk.ts';

test.each<[file: string, withConfig: boolean, withoutConfig: boolean]>([
  ['guide.md', false, false],
  ['README.md', true, false],
  ['guides/README.md', true, false],
  ['LICENSE.md', true, false],
  ['.env', true, true],
  ['.well-known/security.txt', false, false],
  ['drafts/a.md', true, true],
  ['drafts/keep.md', false, false],
  ['notes.private.md', true, true],
  ['.gitbook/assets/a.png', false, false],
  ['docs/.gitbook/includes/a.md', true, true],
])('%s is ignored: %s with a configuration, %s without', (file, withConfig, withoutConfig) => {
  const patterns = 'drafts/*\n!drafts/keep.md\n*.private.md\n# a comment\n';
  expect(ignoreRules(patterns, true).file(file)).toBe(withConfig);
  expect(ignoreRules(patterns, false).file(file)).toBe(withoutConfig);
});

test.each([
  ['node_modules', true],
  ['a/node_modules', true],
  ['.git', true],
  ['.well-known', false],
  ['.gitbook', false],
  ['build', true],
  ['guides/build', false],
  ['secret', true],
  ['guides', false],
])('the folder %s is ignored: %s', (folder, ignored) => {
  expect(ignoreRules('secret/', true).folder(folder)).toBe(ignored);
});

test('a pattern can bring back what is ignored by default', () => {
  expect(ignoreRules('!README.md', true).file('README.md')).toBe(false);
});

test('a folder of pages in the navigation is not build output', () => {
  expect(ignoreRules('', true, new Set(['build'])).folder('build')).toBe(false);
  expect(ignoreRules('', true, new Set(['build'])).folder('dist')).toBe(true);
});
