import { expect, test } from 'vitest';
import { runLogOf } from '../jobs/run-log-of.ts';

test('stores the output in order, including the last line', async () => {
  const { log, text } = runLogOf();
  log.write('one\ntw');
  log.write('o\n');
  log.say('three');
  log.write('four');
  expect(await text()).toBe('one\ntwo\nthree\nfour\n');
});

test('shows no secret, not even one in two pieces, and no password in a URL', async () => {
  const { log, text } = runLogOf();
  log.hide(['hunter2', 'hunter2-longer', '']);
  log.write('a hun');
  log.write('ter2 b hunter2-longer c\n');
  log.write('https://me:word@git.example.com/x and https://git.example.com/y\n');
  expect(await text()).toBe('a *** b *** c\nhttps://***@git.example.com/x and https://git.example.com/y\n');
});

test('paths start from the folder of the run, and colors are removed', async () => {
  const { log, text } = runLogOf('/data/work/se_1-1');
  log.write('\x1b[31mIn /data/work/se_1-1/source/index.md\x1b[0m\n');
  expect(await text()).toBe('In source/index.md\n');
});

test('terminal control sequences in names and output are removed', async () => {
  const { log, text } = runLogOf();
  const orders = [
    '\x1b]0;a title\x07',
    '\x1b]8;;https://evil.example\x1b\\',
    '\x1bP1;2|x\x1b\\',
    '\x9b2J',
    '\x1b(B',
    '\x1bc',
    '\x08',
    '\r',
    '\u202e',
    '\x1b',
  ];
  log.write(`${orders.map((order, place) => `${place}${order}`).join('')}\n`);
  log.write('tab\tand line\r\n');
  expect(await text()).toBe('0123456789\ntab\tand line\n');
});

test('is truncated at 1 MB, and says so once', async () => {
  const { log, text } = runLogOf();
  for (let n = 0; n < 3000; n++) log.write(`${'x'.repeat(1000)}\n`);
  const kept = await text();
  expect(kept.length).toBeLessThan(1.1 * 1024 * 1024);
  expect(kept.match(/The log is cut here/g)).toHaveLength(1);
});

test('an endless line is truncated as it arrives', async () => {
  const { log, text } = runLogOf();
  for (let n = 0; n < 100; n++) log.write('y'.repeat(1000));
  const lines = (await text()).split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8200);
});
