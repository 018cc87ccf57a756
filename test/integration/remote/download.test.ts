import { expect, test } from 'vitest';
import { download } from '../../../integration/remote/download.ts';
import { fakeNames } from './fake-names.ts';
import { otherHost } from './other-host.ts';

const url = (port: string, name = 'rebound.example') => new URL(`http://${name}:${port}/x.png`);

test('a host name that changes from a public to a private address after the check reaches no private host', async () => {
  const inside = await otherHost({ '/x.png': ['image/png', 'SECRET'] });
  let lookups = 0;
  fakeNames(() => (lookups++ === 0 ? '198.51.100.1' : '127.0.0.1'));
  await expect(download(url(inside.port), { timeout: 500 })).rejects.toThrow();
  // 198.51.100.1 is reserved for documentation, so it is refused; a public address is connected to and nothing else.
  lookups = 0;
  fakeNames(() => (lookups++ === 0 ? '93.184.216.34' : '127.0.0.1'));
  await expect(download(url(inside.port), { timeout: 500 })).rejects.toThrow();
  expect(lookups).toBe(1);
  expect(inside.asked).toEqual([]);
});

test('a redirect to a name in a private network is refused', async () => {
  const inside = await otherHost({ '/x.png': ['image/png', 'SECRET'] });
  const outside = await otherHost({ '/x.png': ['redirect', url(inside.port).href] });
  fakeNames(() => '127.0.0.1');
  const privateHosts = [`listed.example:${outside.port}`];
  await expect(download(url(outside.port, 'listed.example'), { privateHosts })).rejects.toThrow(
    'its host is not on the public internet',
  );
  expect([outside.asked, inside.asked]).toEqual([['/x.png'], []]);
});

test('a name that does not exist says so', async () => {
  fakeNames(() => undefined);
  await expect(download(new URL('https://nowhere.example/x.png'), {})).rejects.toThrow('its host was not found');
});
