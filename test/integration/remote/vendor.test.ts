import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { download } from '../../../integration/remote/download.ts';
import { createVendor, type VendorOptions } from '../../../integration/remote/vendor.ts';
import { oembedUrl } from '../../../integration/urls/oembed.ts';
import { fakeNames } from './fake-names.ts';
import { listen } from '../../support/listen.ts';

/** A vendor of media alone, and its files by the URLs of an image each. */
function mediaVendor(options: Partial<VendorOptions>) {
  const files = new Map<string, string>();
  const vendor = createVendor({
    allow: [],
    write: () => {},
    reuse: () => undefined,
    onFile: () => {},
    vendored: files,
    ...options,
  });
  const image = (written: string) => {
    const url = written.startsWith('//') ? `https:${written}` : written;
    return { written, url, kind: 'image' as const, rewritable: true };
  };
  return { files, bring: (urls: string[]) => vendor.vendor('page', urls.map(image)) };
}

/** Vendors URLs of `a.example`, which is a server of this test; HOST stands for its name and port. */
async function vendored(answers: Record<string, RequestListener>, urls: string[], options: { maxBytes?: number } = {}) {
  const written: Record<string, number> = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers[request.url!];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  onTestFinished(() => void server.close());
  fakeNames((name) => (name === 'a.example' ? '127.0.0.1' : undefined));
  const host = `a.example:${await listen(server)}`;
  const vendor = mediaVendor({
    download: (url, given) => download(url, { ...given, privateHosts: [host] }),
    write: (path, bytes) => void (written[path] = bytes.length),
    ...options,
  });
  const vendor1 = async (more: string[]) => await vendor.bring(more.map((url) => url.replace('HOST', host)));
  const problems = await vendor1(urls);
  const files = Object.fromEntries([...vendor.files].map(([url, file]) => [url.replace(host, 'HOST'), file]));
  return { written, asked, files, messages: problems.map(({ message }) => message.replaceAll(host, 'HOST')), vendor: vendor1 };
}

const png =
  (body = 'PNG', headers: Record<string, string> = { 'content-type': 'image/png; charset=x' }): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);

test('equal files are written once, each URL is requested once', async () => {
  const { written, asked, files, vendor } = await vendored({ '/x.png': png(), '/y.png': png() }, [
    'http://HOST/x.png',
    'http://HOST/y.png',
    'http://HOST/x.png',
  ]);
  expect(Object.values(written)).toEqual([3]);
  expect(Object.keys(files)).toHaveLength(2);
  expect(new Set(Object.values(files)).size).toBe(1);
  await vendor(['http://HOST/x.png']);
  expect(asked.toSorted()).toEqual(['/x.png', '/y.png']);
});

test('a URL without a protocol is requested by https', async () => {
  const asked: string[] = [];
  const vendor = mediaVendor({
    download: async (url) => (asked.push(url.href), { bytes: Buffer.from('PNG'), type: 'image/png', url }),
  });
  expect(await vendor.bring(['//a.example/x.png'])).toEqual([]);
  expect(asked).toEqual(['https://a.example/x.png']);
});

test('the extension matches the type of the file', async () => {
  const answers = { '/page.html': png('x'), '/v.mp4': png('y', { 'content-type': 'application/octet-stream' }) };
  const { files } = await vendored(answers, ['http://HOST/page.html', 'http://HOST/v.mp4']);
  expect(Object.entries(files).map(([url, file]) => [url, file.replace(/[0-9a-f]{16}/, 'X')])).toEqual([
    ['http://HOST/page.html', '_carrel/vendor/X.png'],
    ['http://HOST/v.mp4', '_carrel/vendor/X.mp4'],
  ]);
});

test('a compressed file is unpacked', async () => {
  const { gzipSync } = await import('node:zlib');
  const answer: RequestListener = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(gzipSync('PNG'));
  const { written } = await vendored({ '/x.png': answer }, ['http://HOST/x.png']);
  expect(Object.values(written)).toEqual([3]);
});

test('redirects are followed, but not into a private network', async () => {
  const to =
    (location: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(302, { location }).end();
  const answers = {
    '/1': to('/x.png'),
    '/x.png': png(),
    '/2': to('http://169.254.169.254/latest'),
    '/3': to('/3'),
  };
  const { messages, files } = await vendored(answers, ['http://HOST/1', 'http://HOST/2', 'http://HOST/3']);
  expect(Object.keys(files)).toEqual(['http://HOST/1']);
  expect(messages).toEqual([
    '"http://HOST/2" could not be downloaded into the export: its host is not on the public internet.',
    '"http://HOST/3" could not be downloaded into the export: it redirects more than five times.',
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
])('%s is not requested', async (url) => {
  const { asked, messages } = await vendored({}, [url]);
  expect(asked).toEqual([]);
  expect(messages).toEqual([
    `"${url}" could not be downloaded into the export: ${url.startsWith('ftp') ? 'ftp: is not fetched' : 'its host is not on the public internet'}.`,
  ]);
});

test.each<[string, RequestListener | undefined, string]>([
  ['a page', png('<p>', { 'content-type': 'text/html' }), 'it is text/html, not an image, video, sound or font'],
  [
    'a page with the type of an image',
    png('\n<!-- x --><!DOCTYPE html><p>Log in'),
    'it is an HTML page, not an image, video, sound or font',
  ],
  ['a missing file', undefined, 'the host answers 404'],
  ['a file that is too large', png('x'.repeat(2_000_000)), 'it is larger than 1 MB'],
  ['a host that fails', (_request, response) => void response.destroy(), 'socket hang up'],
])('%s becomes a problem', async (_, answer, reason) => {
  const { messages, files } = await vendored(answer ? { '/x': answer } : {}, ['http://HOST/x'], { maxBytes: 1_000_000 });
  expect(messages).toEqual([`"http://HOST/x" could not be downloaded into the export: ${reason}.`]);
  expect(files).toEqual({});
});

test('a failed download fails the export while another one is still running, without an unhandled error', async () => {
  const answers: Record<string, string> = { '/site.css': '@import "gone.css";', '/slow.css': 'a {}' };
  const vendor = createVendor({
    allow: ['a.example'],
    async download(url) {
      const text = answers[url.pathname];
      if (url.pathname === '/slow.css') await new Promise((resume) => setTimeout(resume, 20));
      if (text === undefined) throw new Error('the host answers 404');
      return { bytes: Buffer.from(text), type: 'text/css', url };
    },
    write: () => {},
    reuse: () => undefined,
    onFile: () => {},
    vendored: new Map(),
  });
  const loads = ['https://a.example/site.css', 'https://a.example/slow.css'].map((url) => ({
    written: url,
    url,
    kind: 'stylesheet' as const,
    rewritable: true,
  }));
  await expect(vendor.vendor('index.html', loads)).rejects.toThrow(
    '"https://a.example/gone.css" (in https://a.example/site.css) could not be downloaded into the export: the host answers 404.',
  );
});

test.each([
  [
    'https://vimeo.com/76979871',
    '{"thumbnail_url":"https://a.example/thumb.jpg"}',
    ['https://a.example/thumb.jpg', '_carrel/vendor/HASH.jpg'],
  ],
  [
    'https://www.loom.com/share/1f',
    '{"thumbnail_url":"http://a.example/thumb.jpg"}',
    [undefined, 'its description names no image'],
  ],
  ['https://home.wistia.com/medias/x', '{"title":"A film"}', [undefined, 'its description names no image']],
  ['https://www.dailymotion.com/video/x', '<html>', [undefined, 'its description is not JSON']],
])('the image of the video %s, as its host describes it: %s', async (page, description, result) => {
  const asked: string[] = [];
  const { files, bring } = mediaVendor({
    async download(url) {
      asked.push(url.href);
      if (url.searchParams.has('url')) return { bytes: Buffer.from(description), type: 'application/json', url };
      return { bytes: Buffer.from('JPG'), type: 'image/jpeg', url };
    },
  });
  const described = oembedUrl(page)!;
  const problems = await bring([described]);
  const file = files.get(described)?.replace(/[0-9a-f]{16}/, 'HASH');
  expect([...asked.slice(1), file, ...problems.map(({ message }) => /: (.*)\.$/.exec(message)?.[1])]).toEqual(result);
  expect(asked[0]).toBe(described);
});

test('a file that the previous export has is neither requested nor written again, and stays in the next', async () => {
  const { files, bring } = mediaVendor({
    reuse: (url) => (url === 'https://a.example/x.png' ? '_carrel/vendor/before.png' : undefined),
    download: () => Promise.reject(new Error('requested')),
    write: (path) => expect.fail(`${path} is written`),
  });
  expect(await bring(['https://a.example/x.png'])).toEqual([]);
  expect([...files]).toEqual([['https://a.example/x.png', '_carrel/vendor/before.png']]);
  const [problem] = await bring(['https://a.example/y.png']);
  expect(problem!.message).toContain('https://a.example/y.png');
});
