import { expect, test } from 'vitest';
import { startPort } from '../../../src/setup/start-port.ts';

test.each([
  [undefined, 4400],
  ['', 4400],
  ['4477', 4477],
  ['0', 0],
])('PORT %j is port %d', (given, port) => {
  expect(startPort(given)).toBe(port);
});

test.each(['eighty', '65536', '-1', '80.5'])('PORT %j is refused with a message', (given) => {
  expect(() => startPort(given)).toThrow(`PORT is "${given}", which is no port`);
});
