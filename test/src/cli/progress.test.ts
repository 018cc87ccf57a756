import { expect, test } from 'vitest';
import type { Progress } from '../../../integration/export-messages.ts';
import { progressPrinter, uploadPrinter } from '../../../src/cli/progress.ts';

const steps: Progress[] = [
  { stage: 'read', done: 2, total: 2 },
  { stage: 'render', done: 1, total: 2 },
  { stage: 'render', done: 2, total: 2 },
  { stage: 'index', done: 1, total: 1 },
  { stage: 'write', done: 14, total: 14 },
  { stage: 'archive', done: 55, total: 55 },
];

function shown(isTTY: boolean): string {
  let text = '';
  const printer = progressPrinter({ isTTY, write: (part) => (text += part) });
  for (const step of steps) printer.update(step);
  printer.end();
  return text;
}

test('without a terminal, each finished stage is a line with its result', () => {
  expect(shown(false)).toBe('Read 2 pages\nRendered 2 pages\nBuilt 1 search index\nCopied 14 files\nArchived 55 files\n');
});

test('on a terminal, one line counts progress, and is removed at the end', () => {
  const lines = shown(true).split('\r\x1b[K');
  expect(lines[1]).toBe(`Reading    ${'█'.repeat(24)} 2 of 2 pages`);
  expect(lines[2]).toBe(`Rendering  ${'█'.repeat(12)}${'░'.repeat(12)} 1 of 2 pages`);
  expect(lines.at(-1)).toBe('');
});

test.each([
  [false, ['Uploading\n']],
  [
    true,
    [
      '',
      `Uploading   ${'░'.repeat(24)} 0 %  0 of 2 files, 0.0 of 4.0 MB`,
      `Uploading   ${'█'.repeat(6)}${'░'.repeat(18)} 25 %  1 of 2 files, 1.0 of 4.0 MB`,
      `Uploading   ${'█'.repeat(24)} 100 %  2 of 2 files, 4.0 of 4.0 MB`,
      '',
    ],
  ],
])('an upload counts files and bytes on a terminal: %s', (isTTY, expected) => {
  let text = '';
  const printer = uploadPrinter({ isTTY, write: (part) => (text += part) });
  for (const [files, bytes] of [
    [0, 0],
    [1, 1_000_000],
    [2, 4_000_000],
  ] as const)
    printer.update({ files, bytes, ofFiles: 2, ofBytes: 4_000_000 });
  printer.end();
  expect(text.split('\r\x1b[K')).toEqual(expected);
});
