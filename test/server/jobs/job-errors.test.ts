import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('the manual explains every code that a job can fail with, and no other', () => {
  const sources = ['server/jobs', 'server/sources', 'server/platform'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const codes = sources.flatMap((text) => [
    ...text.matchAll(/new JobError\(\s*'(\w+)'/g),
    // The table of what git prints, and what a queue abandons.
    ...text.matchAll(/code: '((?:Git|Runs)\w+)'/g),
  ]);
  // Codes of `publicAddresses`, which are passed on.
  const expected = new Set([...codes.map(([, code]) => code!), 'HostUnknown', 'AddressPrivate']);
  const manual = readFileSync(join(root, 'src/manual/jobs.mdx'), 'utf8').split('\n## When something goes wrong\n')[1]!;
  const rows = manual.match(/^\| `.*?(?= \|)/gm) ?? [];
  const told = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
  expect(told.sort()).toEqual([...expected].sort());
});
