// No text names a package of Carrel on npm while nobody has published it: whoever takes the name would run code on the reader's computer.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPublished } from '../src/version.ts';

const root = join(import.meta.dirname, '..');
const name = String.raw`(?:carrel|@carrel\/[\w-]+)(?:@[\w.^~-]+)?(?![\w/.-])`;
const fromNpm = [
  new RegExp(String.raw`\b(?:npx|bunx|pnpm dlx|yarn dlx)(?! --no(?:-install)? )(?: -{1,2}[\w-]+)*(?: -p \S+)* ${name}`),
  new RegExp(String.raw`\b(?:npm|pnpm|yarn|bun) (?:i|install|add|create|exec)(?: \S+)*? ${name}`),
  /(?:unpkg\.com|jsdelivr\.net\/npm|esm\.sh|esm\.run)\/(?:carrel|@carrel)\b/,
  /default: carrel@/,
];
const saysUnpublished = /not on npm yet|Until Carrel is on npm/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:mdx?|ts|mjs|cjs|ya?ml|json|astro|sh)$|Dockerfile$/.test(file))
  .filter(
    (file) =>
      !/^(?:test|fixtures)\/|^CHANGELOG|package(?:-lock)?\.json$|^src\/(?:source\/config-schema|cli\/(?:usage|server-modules))\.ts$/.test(
        file,
      ),
  );

test.each([
  ['npx carrel init', true],
  ['npx -p carrel carrel server', true],
  ['npx --no carrel check', false],
  ['npx --no-install astro build', false],
  ['npm install --save-dev carrel', true],
  ['npm i @carrel/astro@0.1.0', true],
  ['npm install ./carrel-0.1.0.tgz', false],
  ['npm run carrel -- export', false],
  ['npm --prefix /path/to/carrel run --silent carrel -- export', false],
])('%j would install from npm: %s', (text, expected) => {
  expect(fromNpm.some((pattern) => pattern.test(text))).toBe(expected);
});

test('every text says the same about npm', () => {
  expect(files.length).toBeGreaterThan(500);
  const wrong = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        (isPublished ? saysUnpublished.test(line) : fromNpm.some((pattern) => pattern.test(line)))
          ? [`${file}:${at + 1} ${line.trim()}`]
          : [],
      ),
  );
  expect(wrong).toEqual([]);
});
