// `npm run test:quick`: the checks, the pure tests, and the tests of what differs from the main branch.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];

run(['test/support/check.ts']);
run([...vitest, '--project', 'values']);
const tests = testsOf(changedFiles());
// Tests that run alone take minutes: only `npm test` runs them.
if (tests.length > 0) run([...vitest, '--project', 'services', '--passWithNoTests', ...tests]);

/** Lists files of the working tree that differ from the merge base with the main branch, including new ones. */
function changedFiles(): string[] {
  const main = ['main', 'origin/main'].find((branch) => git('rev-parse', '--verify', '--quiet', branch).length > 0) ?? 'HEAD';
  const changed = git('diff', '--name-only', '--merge-base', main);
  return [...changed, ...git('ls-files', '--others', '--exclude-standard')].filter((file) => existsSync(join(root, file)));
}

/** Returns the test files among them, those with the same path, and those that import one of them. */
function testsOf(changed: string[]): string[] {
  const chosen = new Set(changed.flatMap((file) => [file, `test/${file.replace(/\.ts$/, '.test.ts')}`]));
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join('test', name.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'));
  return all.filter((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g);
    return chosen.has(file) || [...imports].some(([, path]) => chosen.has(posix.join(dirname(file), path!)));
  });
}

function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter(Boolean);
}

function run(args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
