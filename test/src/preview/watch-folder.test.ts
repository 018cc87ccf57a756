import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ignoreRules } from '../../../src/source/walk.ts';
import { watchFolder } from '../../../src/preview/watch-folder.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const watched of open.splice(0)) watched.close();
});

function watched(folder: string) {
  const rules = ignoreRules('drafts/\n', true);
  const seen: string[] = [];
  let onNext: (() => void) | undefined;
  const watcher = watchFolder(folder, {
    ignoresFolder: rules.folder,
    ignoresFile: rules.file,
    onChange(paths) {
      seen.push(...paths);
      onNext?.();
    },
    onFault: (message) => expect.fail(message),
  });
  open.push(watcher);
  return {
    watcher,
    /** All paths that were reported up to this one. */
    async until(path: string): Promise<string[]> {
      while (!seen.includes(path)) await new Promise<void>((resolve) => (onNext = resolve));
      return seen.splice(0);
    },
  };
}

test('reports files that are written, renamed over and removed, also in folders made later', async () => {
  const folder = temporaryFolder();
  const { until } = watched(folder);
  writeFileSync(join(folder, 'a.mdx'), 'A');
  await until('a.mdx');
  writeFileSync(join(folder, '.a.mdx.swp'), 'B');
  renameSync(join(folder, '.a.mdx.swp'), join(folder, 'a.mdx'));
  expect(await until('a.mdx')).toEqual(['a.mdx']);
  mkdirSync(join(folder, 'new/inner'), { recursive: true });
  await until('new');
  writeFileSync(join(folder, 'new/inner/b.mdx'), 'B');
  await until('new/inner/b.mdx');
  rmSync(join(folder, 'new'), { recursive: true });
  expect(await until('new')).toContain('new');
});

test.skipIf(process.platform !== 'linux')('takes one watch for each folder, and none for ignored ones and links', async () => {
  const folder = temporaryFolder();
  for (const ignored of ['node_modules', '.git', 'drafts', 'build'])
    for (let group = 0; group < 50; group++) {
      mkdirSync(join(folder, ignored, `group-${group}`), { recursive: true });
      for (let file = 0; file < 100; file++) writeFileSync(join(folder, ignored, `group-${group}`, `${file}.md`), '');
    }
  mkdirSync(join(folder, 'guides'));
  for (let file = 0; file < 100; file++) writeFileSync(join(folder, 'guides', `${file}.md`), '');
  symlinkSync(folder, join(folder, 'guides/loop'), 'dir');
  const { watcher, until } = watched(folder);
  expect(watcher.count()).toBe(2);
  writeFileSync(join(folder, 'node_modules/group-0/0.md'), 'Changed.');
  writeFileSync(join(folder, 'drafts/group-0/0.md'), 'Changed.');
  writeFileSync(join(folder, 'guides/0.md'), 'Changed.');
  expect(await until('guides/0.md')).toEqual(['guides/0.md']);
});

test.each(['', 'guides'])('a folder that is replaced at once is watched again: "%s"', async (path) => {
  const folder = join(temporaryFolder(), 'docs');
  const replaced = join(folder, path);
  writeFiles(replaced, { 'a.mdx': 'A' });
  const { until } = watched(folder);
  rmSync(replaced, { recursive: true });
  writeFiles(replaced, { 'b.mdx': 'B' });
  await until(path);
  writeFileSync(join(replaced, 'c.mdx'), 'C');
  expect(await until(join(path, 'c.mdx'))).toContain(join(path, 'c.mdx'));
});

test('a folder that is removed and comes back is watched again', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'docs');
  writeFiles(folder, { 'a.mdx': 'A' });
  const { until } = watched(folder);
  rmSync(folder, { recursive: true });
  await until('');
  mkdirSync(folder);
  await until('');
  writeFileSync(join(folder, 'b.mdx'), 'B');
  expect(await until('b.mdx')).toContain('b.mdx');
});
