import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { groupMemory } from '../../../server/platform/process-limits.ts';
import { runEnvironment, runProcess, type ProcessToRun } from '../../../server/platform/run-process.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';

/** Runs a script of Node's. */
function script(code: string, change: Partial<ProcessToRun> = {}) {
  const folder = temporaryFolder();
  return runProcess({
    command: process.execPath,
    args: ['--input-type=module', '--eval', code],
    folder,
    environment: runEnvironment(folder),
    limits: { minutes: 1, memoryMb: 1024 },
    endsByItself: true,
    signal: new AbortController().signal,
    ...change,
  });
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    // A process that nobody has buried is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const expectDead = (id: number) => vi.waitFor(() => expect(isAlive(id)).toBe(false), { timeout: 60_000, interval: 20 });

test.each([true, false])('returns the exit code and the end of the output (ends by itself: %s)', async (endsByItself) => {
  const ended = await script(`console.log('x'.repeat(20000)); console.error('sorry'); process.exitCode = 3`, { endsByItself });
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(ended.tail).toHaveLength(16_384);
  expect(ended.tail).toContain('sorry');
});

test.each([true, false])(
  'gives the program nothing of the environment of this one (ends by itself: %s)',
  async (endsByItself) => {
    vi.stubEnv('DATABASE_URL', 'postgresql://user:secret@db/x');
    vi.stubEnv('CARREL_SECRET', 'secret of the server');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret of the bucket');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const { tail } = await script('console.log(JSON.stringify(process.env))', { endsByItself });
    vi.unstubAllEnvs();
    expect(tail).not.toContain('secret');
    expect(Object.keys(JSON.parse(tail) as object).sort()).toEqual(['HOME', 'LANG', 'NO_COLOR', 'PATH', 'TMPDIR', 'TZ']);
  },
);

test('passes on complete lines of descriptor 3, up to a maximum length', async () => {
  const lines: string[] = [];
  const write = `import { writeSync } from 'node:fs';
    for (const part of ['one\\ntw', 'o\\n', 'x'.repeat(2 ** 25 + 1), '\\nthree\\n', 'never whole']) writeSync(3, part)`;
  await script(write, { onLine: (line) => lines.push(line) });
  expect(lines).toEqual(['one', 'two', 'three']);
});

test('a program that does not exist is reported with the error', async () => {
  await expect(script('', { command: 'no-such-program-anywhere' })).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a program that is ended from outside is reported with the signal', async () => {
  expect(await script(`process.kill(process.pid, 'SIGKILL')`)).toMatchObject({ code: null, signal: 'SIGKILL' });
});

describe('limits', () => {
  const forever = 'setInterval(() => {}, 1000)';

  test('time', async () => {
    const limits = { minutes: 0.01, memoryMb: 1024 };
    await expect(script(forever, { limits })).rejects.toMatchObject({
      code: 'TimeLimit',
      message: expect.stringContaining('jobMinutes in CARREL_LIMITS'),
    });
  });

  test('memory, of all processes of the group together', async () => {
    expect(await groupMemory(1)).toBeDefined();
    const eat = `const kept = []; setInterval(() => kept.push(Buffer.alloc(8 * 1024 * 1024, 1)), 50)`;
    const eatElsewhere = `import { spawn } from 'node:child_process';
      spawn(process.execPath, ['--eval', ${JSON.stringify(eat)}], { stdio: 'inherit' }); ${forever}`;
    for (const code of [eat, eatElsewhere]) {
      await expect(script(code, { limits: { minutes: 5, memoryMb: 300 } })).rejects.toMatchObject({
        code: 'MemoryLimit',
        message: expect.stringMatching(/took \d+ MB of memory, and 300 MB are allowed.*jobMemoryMb in CARREL_LIMITS/),
      });
    }
  });

  // The other test's programs grow slowly enough to be measured.
  test.runIf(process.platform === 'linux').each([
    // On a busy machine, it reads so slowly that it is measured.
    ['git', ['apply', 'large'], 64, 'needs more memory|took \\d+ MB of memory'],
    [process.execPath, ['--eval', 'Buffer.alloc(3 * 2 ** 30)'], 128, 'needs more memory'],
  ] as const)('memory that %s takes faster than it is measured, refused by the system', async (command, args, memoryMb, what) => {
    // Files in memory would count as memory of the process.
    const folder = temporaryFolder('/var/tmp');
    writeFileSync(join(folder, 'large'), '');
    truncateSync(join(folder, 'large'), 900 * 1024 * 1024);
    for (const endsByItself of [true, false]) {
      const limits = { minutes: 1, memoryMb };
      await expect(script('', { command, args: [...args], folder, limits, endsByItself })).rejects.toMatchObject({
        code: 'MemoryLimit',
        message: expect.stringMatching(new RegExp(`(?:${what}), and \\d+ MB are allowed.*jobMemoryMb in CARREL_LIMITS`)),
      });
    }
  });

  test.each([
    ['while it writes', forever],
    ['that it leaves behind', ''],
  ])('size of a folder %s', async (_, end) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'deep'));
    const write = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'deep/file'))}, 'x'.repeat(3000000)); ${end}`;
    await expect(script(write, { watch: { path: folder, what: 'The export', mb: 2 } })).rejects.toMatchObject({
      code: 'SizeLimit',
      message: expect.stringContaining('The export is larger than 2 MB. Allow more (jobOutputMb in CARREL_LIMITS)'),
    });
  });

  test('number of files', async () => {
    const folder = temporaryFolder();
    for (let n = 0; n < 5; n++) writeFileSync(join(folder, `${n}`), '');
    await expect(script('', { watch: { path: folder, what: 'The repository', mb: 1, entries: 4 } })).rejects.toMatchObject({
      code: 'SizeLimit',
    });
  });
});

describe('ending', () => {
  // Both the program and its child ignore what they are asked; only being killed ends them.
  const stubborn = `import { spawn } from 'node:child_process';
    const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.stdout.write(process.pid + '\\\\n')";
    spawn(process.execPath, ['--eval', code], { stdio: ['ignore', 'inherit', 'inherit'] });
    process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;

  test('the signal ends the whole group, also programs that ignore it', async () => {
    const stop = new AbortController();
    let printed = '';
    const onOutput = (text: string) => {
      printed += text;
      if (printed.includes('\n')) stop.abort(new Error('canceled'));
    };
    await expect(script(stubborn, { signal: stop.signal, onOutput })).rejects.toThrow('canceled');
    await expectDead(Number(printed));
  });

  test.each([true, false])('the signal leaves a program time to tidy up (ends by itself: %s)', async (endsByItself) => {
    const stop = new AbortController();
    let printed = '';
    const onOutput = (text: string) => ((printed += text), stop.abort(new Error('canceled')));
    const code = `process.once('SIGTERM', () => setTimeout(() => (console.log('tidy'), process.exit()), 50));
      console.log('ready'); setInterval(() => {}, 1000)`;
    await expect(script(code, { endsByItself, signal: stop.signal, onOutput })).rejects.toThrow('canceled');
    expect(printed).toBe('ready\ntidy\n');
  });

  test('processes that a program leaves running end with it', async () => {
    const code = `import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      console.log(child.pid); process.exit()`;
    const { tail } = await script(code);
    await expectDead(Number(tail));
  });

  test('nothing starts after the signal', async () => {
    const file = join(temporaryFolder(), 'ran');
    const write = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(file)}, '')`;
    await expect(script(write, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    expect(existsSync(file)).toBe(false);
  });

  test('a program and its group end when the process that runs it is killed', async () => {
    const module = new URL('../../../server/platform/run-process.ts', import.meta.url).href;
    const child = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`;
    const server = `import { runProcess } from ${JSON.stringify(module)};
      await runProcess({ command: process.execPath, args: ['--eval', ${JSON.stringify(child)}], folder: '/', environment: {},
        limits: { minutes: 1, memoryMb: 1024 }, signal: new AbortController().signal, onOutput(text) {
          process.stdout.write(text);
          process.kill(process.pid, 'SIGKILL');
        } })`;
    const running = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', server]);
    const [printed, problem] = await Promise.all([text(running.stdout), text(running.stderr)]);
    expect([problem, printed]).toEqual(['', expect.stringMatching(/^\d+\n$/)]);
    await expectDead(Number(printed));
  });
});
