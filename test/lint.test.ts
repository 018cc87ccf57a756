import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './integration/export/folder.ts';

const root = join(import.meta.dirname, '..');

test('each file that may have a long function has one', () => {
  const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8');
  const [, files = ''] = /"files": \[\n([^\]]*)\],\s*"rules": \{ "max-lines-per-function": "off" \}/.exec(config) ?? [];
  const allowed = [...files.matchAll(/"([^"]+)"/g)].map(([, file]) => file!);
  expect(allowed.length).toBeGreaterThan(5);
  const rule = /"max-lines-per-function": \["error", \{[^}]*\}\]/.exec(config);
  const strict = join(temporaryFolder(), 'strict.json');
  writeFileSync(strict, `{ "categories": { "correctness": "off" }, "rules": { ${rule?.[0]} } }`);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '-c', strict, '-f', 'unix', ...allowed], {
    cwd: root,
    encoding: 'utf8',
  });
  const long = stdout.split('\n').flatMap((line) => (line.includes('max-lines-per-function') ? [line.split(':')[0]!] : []));
  expect(allowed.filter((file) => !long.includes(file))).toEqual([]);
});
