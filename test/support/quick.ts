// `npm run test:quick`: the checks, the tests without services, and those of what differs from the main branch. It ends with what it left out.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone, never, values } from '../vitest.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];

run(['test/support/check.ts']);
run([...vitest, '--project', 'values', '--maxWorkers', String(availableParallelism())]);
const all = filesOf(['test/**/*.test.ts'], never);
const pure = new Set(filesOf(values));
const slow = new Set(filesOf(alone));
const related = testsOf(changedFiles()).filter((file) => !pure.has(file));
const others = related.filter((file) => !slow.has(file));
if (others.length > 0) run([...vitest, '--project', 'services', '--project', 'isolated', ...others]);
const leftOut = all.filter((file) => !pure.has(file) && !others.includes(file));
console.log(`Left out: the browser tests and ${leftOut.length} of ${all.length} other test files. npm test runs them all.`);
const tooSlow = related.filter((file) => slow.has(file));
if (tooSlow.length > 0) console.log(`Left out although related to your changes: ${tooSlow.join(', ')}`);

/** Lists files of the working tree that differ from the merge base with the main branch, including new ones. */
function changedFiles(): string[] {
  const main = ['main', 'origin/main'].find((branch) => git('rev-parse', '--verify', '--quiet', branch).length > 0) ?? 'HEAD';
  const changed = git('diff', '--name-only', '--merge-base', main);
  return [...changed, ...git('ls-files', '--others', '--exclude-standard')].filter((file) => existsSync(join(root, file)));
}

/** Returns the test files among them, those with the same path, and those that import one of them. */
function testsOf(changed: string[]): string[] {
  const chosen = new Set(changed.flatMap((file) => [file, `test/${file.replace(/\.ts$/, '.test.ts')}`]));
  return all.filter((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g);
    return chosen.has(file) || [...imports].some(([, path]) => chosen.has(posix.join(dirname(file), path!)));
  });
}

function filesOf(patterns: string[], exclude: string[] = []): string[] {
  return globSync(patterns, { cwd: root, exclude }).map((file) => file.replaceAll('\\', '/'));
}

function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter(Boolean);
}

function run(args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
