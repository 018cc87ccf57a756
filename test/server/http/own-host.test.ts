import { expect, test } from 'vitest';
import { isOwnHost } from '../../../server/http/own-host.ts';

test.each<[isOwn: boolean, host: string]>([
  ...['127.0.0.1', '10.1.2.3', '[::1]', '[2001:db8::1]'].map((host): [boolean, string] => [true, host]),
  ...['localhost', 'localhost.', 'preview.localhost', 'carrel', 'mac.local', 'docs.internal', 'carrel.docs.svc'].map(
    (host): [boolean, string] => [true, host],
  ),
  ...['docs.example.com', 'DOCS.example.com', 'docs.example.com.'].map((host): [boolean, string] => [true, host]),
  ...['example.com', 'a.docs.example.com', 'docs.example.com.evil.com', 'localhost.evil.com', '127.0.0.1.evil.com'].map(
    (host): [boolean, string] => [false, host],
  ),
])('%s: %s', (isOwn, host) => {
  expect(isOwnHost(host, ['0.0.0.0', 'docs.example.com'])).toBe(isOwn);
  expect(isOwnHost(host, ['*'])).toBe(true);
});
