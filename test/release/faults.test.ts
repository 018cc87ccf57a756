import { expect, test } from 'vitest';
import { newestSection, releaseFaults, type ReleaseState } from './faults.ts';

const ready: ReleaseState = {
  versions: { 'package.json': '1.2.0', 'server/package.json': '1.2.0' },
  changelog: '# Changelog\n\n## 1.2.0 (2026-01-01)\n\n- Adds herons.\n\n## 1.1.0\n\n- Fixes reeds.\n',
  status: '',
  tags: ['v1.2.0', ''],
  repository: 'git+https://github.com/acme/carrel.git',
};

test('a tagged, committed tree whose version the changelog names can be released', () => {
  expect(releaseFaults(ready)).toEqual([]);
});

test.each<[string, Partial<ReleaseState>, string]>([
  [
    'packages of different versions',
    { versions: { 'package.json': '1.2.0', 'server/package.json': '1.1.0' } },
    'server/package.json has version 1.1.0, and package.json 1.2.0.',
  ],
  [
    'a changelog of something else',
    { changelog: '# Changelog\n\n## Unreleased\n\n- Adds herons.\n' },
    '"Unreleased": name it "1.2.0"',
  ],
  ['a changelog without a section', { changelog: '' }, '"": name it "1.2.0"'],
  [
    'an empty section',
    { changelog: '## 1.2.0\n\n## 1.1.0\n\n- Fixes reeds.\n' },
    'The section "1.2.0" of CHANGELOG.md is empty.',
  ],
  ['changes', { status: ' M README.md\n' }, 'not committed:\n M README.md'],
  ['no tag', { tags: [] }, 'does not have the tag v1.2.0'],
  ['another tag', { tags: ['v1.1.0'] }, 'does not have the tag v1.2.0'],
  ['no repository', { repository: undefined }, 'no "repository"'],
])('%s: the fault is named', (_, change, fault) => {
  expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringContaining(fault)]);
});

test('the notes of a release are its section of the changelog', () => {
  expect(newestSection(ready.changelog)).toEqual({ title: '1.2.0 (2026-01-01)', text: '- Adds herons.' });
});
