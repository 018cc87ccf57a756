// `npm run check`: types, format, import arrows. Prints what is wrong and exits with 1.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { wrongImports } from './layers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const steps: [name: string, args: string[]][] = [
  [
    'types',
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'],
  ],
  [
    'types of the search module, without Node and DOM',
    ['node_modules/typescript/bin/tsc', '-p', 'integration/search/tsconfig.json'],
  ],
  [
    'format',
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--cache-strategy', 'content', '--log-level', 'warn', '.'],
  ],
];

let failed = false;
for (const [name, args] of steps) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${name}`);
  failed ||= status !== 0;
}
const wrong = wrongImports(root);
for (const line of wrong) console.log(line);
console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'}  import arrows`);
process.exit(failed || wrong.length > 0 ? 1 : 0);
