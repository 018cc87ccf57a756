import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runWarm } from './run-warm.ts';

const program = fileURLToPath(new URL('late-program.ts', import.meta.url));
const late = (...args: string[]) => runWarm(program, 'late', { args, cwd: import.meta.dirname, env: process.env });

test('what a command leaves behind prints nothing into the next one, and does not end it', async () => {
  expect(await late('first', 'late words', '100', 'exit')).toEqual({ code: 0, stdout: 'first\n', stderr: '' });
  expect(await late('second', 'own words', '200', 'wait')).toEqual({ code: 0, stdout: 'second\nown words\n', stderr: '' });
  expect(await late('third')).toEqual({ code: 0, stdout: 'third\n', stderr: '' });
});

test('what a command replaces of the process, the next one has again', async () => {
  const replace = () => runWarm(program, 'replace', { args: [], cwd: import.meta.dirname, env: process.env });
  for (let run = 0; run < 2; run++) expect(await replace()).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
});
