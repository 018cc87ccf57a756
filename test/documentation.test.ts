import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestSchema } from '../integration/bundle/manifest.ts';
import { optionsSchema } from '../integration/options.ts';
import { stages } from '../integration/progress.ts';
import { command as exportCommand } from '../src/cli/export.ts';
import { command as serveCommand } from '../src/cli/serve.ts';
import { command as verifyCommand } from '../src/cli/verify.ts';
import { toldIn } from './support/told.ts';

const root = join(import.meta.dirname, '..');
const told = toldIn(root, ['src', 'server', 'integration']);

function manual(page: string): string {
  return readFileSync(join(root, 'src/manual', `${page}.mdx`), 'utf8');
}

/** The names in the first column of the tables below a heading: `a`, `b`. */
function namesIn(page: string, heading: string): string[] {
  const [, below = ''] = manual(page).split(`\n## ${heading}\n`);
  const rows = below.split('\n## ')[0]!.match(/^\| `.*?(?= \|)/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)).sort();
}

test('the manual explains every kind of problem, and no other', () => {
  expect(namesIn('problems', 'Problems')).toEqual(told.kinds);
});

test('the manual explains every code of an error, and no other', () => {
  expect(namesIn('problems', 'Errors')).toEqual(told.codes);
});

test('the names of problems and errors have the shapes that the manual promises', () => {
  expect(told.kinds.filter((kind) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(kind))).toEqual([]);
  expect(told.codes.filter((code) => !/^([A-Z][a-z]*)+$/.test(code))).toEqual([]);
});

test.each([
  ['export', exportCommand],
  ['serve', serveCommand],
  ['verify', verifyCommand],
])('the page of carrel %s names every option, and no other', (page, command) => {
  const named = new Set(manual(page).match(/(?<=[`"[\s])--[a-z][a-z-]*/g));
  expect([...named].sort()).toEqual(
    Object.keys(command.options.shape)
      .map((name) => `--${name}`)
      .sort(),
  );
});

test('the page of carrel export names the stages of its progress', () => {
  expect(manual('export').replace(/\s+/g, ' ')).toContain(stages.map((stage) => `\`${stage}\``).join(', '));
});

test('the manual explains every option of the Astro integration, and no other', () => {
  expect(namesIn('astro', 'Options')).toEqual(Object.keys(optionsSchema.shape).sort());
});

test('the manual explains every key of carrel.json, and no other', () => {
  expect(namesIn('bundles', 'carrel.json')).toEqual(Object.keys(manifestSchema.shape).sort());
});
