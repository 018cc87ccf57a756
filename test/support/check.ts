// `npm run check`: types, lint, unused exports, format, import levels, words. Prints what is wrong and exits with 1.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { wrongImports } from './layers.ts';
import { wrongWords } from './words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const steps: [name: string, file: string, ...args: string[]][] = [
  ['lint', 'node_modules/oxlint/bin/oxlint', '-f', 'unix', '--quiet'],
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'],
  [
    'types of the search module, without Node and DOM',
    'node_modules/typescript/bin/tsc',
    '-p',
    'integration/search/tsconfig.json',
  ],
  ['unused exports', 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  ['format', 'node_modules/oxfmt/bin/oxfmt', '--list-different'],
  ['format of Astro components', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '**/*.astro'],
];

let failed = false;

function report(name: string, isRight: boolean, lines: string): void {
  if (lines.trim() !== '') console.log(lines.trimEnd());
  console.log(`${isRight ? 'ok  ' : 'FAIL'}  ${name}`);
  failed ||= !isRight;
}

async function run([name, ...args]: (typeof steps)[number]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = await once(child, 'close');
  report(name, status === 0, output);
}

const left = [...steps];
const worker = async (): Promise<void> => {
  for (let step = left.shift(); step; step = left.shift()) await run(step);
};
// The linter uses all cores; more than two programs at a time would only slow each other down.
await Promise.all([worker(), worker()]);
const wrong = wrongImports(root);
report('import levels', wrong.length === 0, wrong.join('\n'));
const words = wrongWords(root);
report('words', words.length === 0, words.join('\n'));
process.exit(failed ? 1 : 0);
