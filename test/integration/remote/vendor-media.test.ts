import { expect, test } from 'vitest';
import { createVendor } from '../../../integration/remote/vendor-media.ts';

type Answer = () => Response | Promise<Response>;

async function brought(answers: Record<string, Answer>, urls: string[], options: { maxBytes?: number; timeout?: number } = {}) {
  const written: Record<string, number> = {};
  const asked: string[] = [];
  const vendor = createVendor({
    fetch: (async (url: URL, { signal }: RequestInit) => {
      asked.push(url.href);
      signal?.throwIfAborted();
      return answers[url.href]?.() ?? new Response('', { status: 404 });
    }) as unknown as typeof fetch,
    write: (path, bytes) => void (written[path] = bytes.length),
    reuse: () => undefined,
    ...options,
  });
  const problems = await vendor.bring(urls);
  return { written, asked, files: Object.fromEntries(vendor.files), messages: problems.map(({ message }) => message), vendor };
}

const png =
  (body = 'PNG', headers: Record<string, string> = { 'content-type': 'image/png; charset=x' }) =>
  () =>
    new Response(body, { headers });

test('equal files are written once, each address is asked for once', async () => {
  const answers = { 'https://a.example/x.png': png(), 'https://a.example/y.png': png() };
  const { written, asked, files, vendor } = await brought(answers, [
    'https://a.example/x.png',
    '//a.example/y.png',
    'https://a.example/x.png',
  ]);
  expect(Object.values(written)).toEqual([3]);
  expect(new Set(Object.values(files)).size).toBe(1);
  await vendor.bring(['https://a.example/x.png']);
  expect(asked.toSorted()).toEqual(['https://a.example/x.png', 'https://a.example/y.png']);
});

test('the name ends in what the file is', async () => {
  const answers = {
    'https://a.example/page.html': png('x'),
    'https://a.example/v.mp4': png('y', { 'content-type': 'application/octet-stream' }),
  };
  const { files } = await brought(answers, Object.keys(answers));
  expect(Object.keys(answers).map((url) => files[url]!.replace(/[0-9a-f]{16}/, 'X'))).toEqual([
    '_carrel/vendor/X.png',
    '_carrel/vendor/X.mp4',
  ]);
});

test('redirects are followed, but not into the network around', async () => {
  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
  const answers = {
    'https://a.example/1': to('/x.png'),
    'https://a.example/x.png': png(),
    'https://a.example/2': to('http://169.254.169.254/latest'),
    'https://a.example/3': to('https://a.example/3'),
  };
  const { messages, files } = await brought(answers, ['https://a.example/1', 'https://a.example/2', 'https://a.example/3']);
  expect(Object.keys(files)).toEqual(['https://a.example/1']);
  expect(messages).toEqual([
    '"https://a.example/2" could not be brought into the export: its host is not on the public internet.',
    '"https://a.example/3" could not be brought into the export: it redirects more than five times.',
  ]);
});

test.each([
  'http://localhost/x.png',
  'http://127.0.0.1/x.png',
  'http://2130706433/x.png',
  'http://[::1]/x.png',
  'http://[::ffff:10.0.0.1]/x.png',
  'http://10.1.2.3/x.png',
  'http://172.20.0.1/x.png',
  'http://192.168.1.1/x.png',
  'http://intranet/x.png',
  'http://db.internal/x.png',
  'ftp://a.example/x.png',
])('%s is not asked', async (url) => {
  const { asked, messages } = await brought({}, [url]);
  expect(asked).toEqual([]);
  expect(messages).toHaveLength(1);
});

test.each([
  ['a page', png('<p>', { 'content-type': 'text/html' }), 'it is text/html, not an image, video, sound or font'],
  ['a missing file', () => new Response('', { status: 404 }), 'the host answers 404'],
  ['a file that is too large', png('x'.repeat(2_000_000)), 'it is larger than 1 MB'],
  ['a host that fails', () => Promise.reject(new Error('connection refused')), 'connection refused'],
])('%s becomes a problem', async (_, answer, reason) => {
  const { messages, files } = await brought({ 'https://a.example/x': answer }, ['https://a.example/x'], { maxBytes: 1_000_000 });
  expect(messages).toEqual([`"https://a.example/x" could not be brought into the export: ${reason}.`]);
  expect(files).toEqual({});
});
