import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExportError } from '../../integration/errors.ts';
import { exportMessages, readExportMessage } from '../../integration/export-messages.ts';

const report = { version: 'v1', pages: 1, files: 2, bytes: 3 };
const problem = { kind: 'link-without-target', severity: 'warning', page: 'a.md', line: 3, message: 'm' } as const;

/** Lines that `write` writes to a descriptor. */
function linesOf(write: (messages: ReturnType<typeof exportMessages>) => void): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-messages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'lines');
  const descriptor = openSync(file, 'w');
  write(exportMessages(descriptor));
  closeSync(descriptor);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

test('what is written is read: progress, each problem before the report, and an error', () => {
  const lines = linesOf(({ progress, report: sendReport, error }) => {
    progress({ stage: 'render', done: 1, total: 2 });
    sendReport({ ...report, warnings: [problem, { ...problem, message: 'two\nlines' }] });
    error(new ExportError('ConfigNotJson', 'It is broken.', 'Correct it.'));
    error(Object.assign(new ExportError('OutsideLoads', 'It loads.'), { egress: [{ url: 'https://example.com/' }] }));
  });
  expect(lines.map(readExportMessage)).toEqual([
    { type: 'progress', stage: 'render', done: 1, total: 2 },
    { type: 'problem', ...problem },
    { type: 'problem', ...problem, message: 'two\nlines' },
    { type: 'report', ...report },
    { type: 'error', code: 'ConfigNotJson', message: 'It is broken.', hint: 'Correct it.' },
    { type: 'error', code: 'OutsideLoads', message: 'It loads.', egress: [{ url: 'https://example.com/' }] },
  ]);
});

test('an unexpected error is not a message', () => {
  expect(linesOf(({ error }) => error(new TypeError('x is undefined')))).toEqual(['']);
});

test('a closed descriptor only loses the messages', () => {
  const { progress, report: sendReport } = exportMessages(987_654);
  expect(() => {
    progress({ stage: 'read', done: 1, total: 1 });
    sendReport({ ...report, warnings: [problem] });
  }).not.toThrow();
});

test('unknown keys of a report stay; those of other messages are dropped', () => {
  expect(readExportMessage(JSON.stringify({ type: 'report', ...report, more: [1] }))).toMatchObject({ more: [1] });
  expect(readExportMessage(JSON.stringify({ type: 'problem', ...problem, more: 1 }))).toEqual({ type: 'problem', ...problem });
});

test.each([
  'nonsense',
  '',
  'null',
  '[]',
  '{"type":"progress","stage":"sleep","done":1,"total":1}',
  '{"stage":"read","done":1,"total":1}',
  '{"type":"weather"}',
  '{"type":"report","version":"","pages":1,"files":1,"bytes":1}',
  '{"type":"error","code":"not a code","message":"m"}',
  '{"type":"problem","kind":"a","severity":"fatal","message":"m"}',
])('%s is not a message', (line) => {
  expect(readExportMessage(line)).toBeUndefined();
});
