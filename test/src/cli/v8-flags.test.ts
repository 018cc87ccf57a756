// V8 promises nothing about its flags: one that is gone is ignored, and the memory that it saves is used again.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const sources = ['src', 'server', 'integration'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
);
const names = sources.flatMap((text) =>
  [...text.matchAll(/['"`](--(?:heap|semi|m(?:ax|in)-semi|max-old|liftoff|disallow)[\w-]*)/g)].map(([, name = '']) => name),
);
const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

test.each([...new Set(names)])('this Node has the flag %s, which the program sets', (name) => {
  expect(known).toMatch(new RegExp(`^ +${name} `, 'm'));
});

test('the flags that are switched while the program runs are found', () => {
  expect(names).toEqual(
    expect.arrayContaining(['--heap-growing-percent', '--semi-space-growth-factor', '--min-semi-space-size']),
  );
});
