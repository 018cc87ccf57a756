import { expect, test } from 'vitest';
import { runLogOf } from './run-log-of.ts';

test('keeps what was printed, in order, the last line too', async () => {
  const { log, text } = runLogOf();
  log.write('one\ntw');
  log.write('o\n');
  log.say('three');
  log.write('four');
  expect(await text()).toBe('one\ntwo\nthree\nfour\n');
});

test('shows no secret, not even one that comes in two pieces, nor a password in an address', async () => {
  const { log, text } = runLogOf();
  log.hide(['hunter2', 'hunter2-longer', '']);
  log.write('a hun');
  log.write('ter2 b hunter2-longer c\n');
  log.write('https://me:word@git.example.com/x and https://git.example.com/y\n');
  expect(await text()).toBe('a *** b *** c\nhttps://***@git.example.com/x and https://git.example.com/y\n');
});

test('paths start from the folder of the run, and colours are left out', async () => {
  const { log, text } = runLogOf('/data/work/se_1-1');
  log.write('\x1b[31mIn /data/work/se_1-1/source/index.md\x1b[0m\n');
  expect(await text()).toBe('In source/index.md\n');
});

test('is cut at 1 MB, and says so once', async () => {
  const { log, text } = runLogOf();
  for (let n = 0; n < 3000; n++) log.write(`${'x'.repeat(1000)}\n`);
  const kept = await text();
  expect(kept.length).toBeLessThan(1.1 * 1024 * 1024);
  expect(kept.match(/The log is cut here/g)).toHaveLength(1);
});

test('a line without end is cut as it comes', async () => {
  const { log, text } = runLogOf();
  for (let n = 0; n < 100; n++) log.write('y'.repeat(1000));
  expect((await text()).split('\n').every((line) => line.length <= 8200)).toBe(true);
});
