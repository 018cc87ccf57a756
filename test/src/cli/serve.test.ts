import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unpackBundle } from '../../../integration/output/unpack-bundle.ts';
import { archiveOf, whole } from '../../integration/output/archives.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { send, startBundleServer } from '../../server/active-exports/bundle-server.ts';
import { carrel, printedAddress, startCarrel } from './carrel.ts';

const link = 'http://127.0.0.1:9/bundle?signature=SECRET';
const api = 'http://127.0.0.1:9';
const job = 'se_0123456789abcdef';

describe('invalid usage exits with 2, and says what is valid', () => {
  test.each<[string[], Record<string, string>, string]>([
    [['--bundle', 'site.zip'], {}, '--bundle: must be an http(s) URL'],
    [['--bundle', 'file:///site.zip'], {}, '--bundle: must be an http(s) URL'],
    [['--bundle', 'https://user:SECRET@example.com/'], {}, 'without a user name'],
    [[], { CARREL_BUNDLE_URL: 'x:SECRET' }, '--bundle: must be an http(s) URL'],
    [['--bundle', link, '--version', ''], {}, '--version: must not be empty'],
    [['--bundle', link, '--max-size', '0'], {}, '--max-size: must be 1 or more'],
    [['--bundle', link, '--time-limit', 'long'], {}, '--time-limit: must be a number'],
    [[], { CARREL_BUNDLE_URL: link, CARREL_BUNDLE_MAX_SIZE: '1.5' }, '--max-size: must be a whole number'],
    [['site', '--bundle', link], {}, '--bundle only applies to bundles from a link, but "site" is a folder or a file'],
    [['site', '--keep', 'kept'], {}, '--keep only applies to bundles from a link'],
    [['--keep', 'kept'], {}, 'Missing argument: FOLDER, ZIP, --bundle URL, --watch FOLDER or --refresh-url URL'],
    [['--bundle', link, '--keep-last', '0'], {}, '--keep-last: must be 1 or more'],
    [['site', '--refresh-minutes', '5'], {}, '--refresh-minutes only applies to bundles from a link'],
    [
      ['--refresh-url', 'api.example.com'],
      { CARREL_BUNDLE_KEY: 'svc_SECRET' },
      '--refresh-url: must be the http(s) URL of an API',
    ],
    [['--refresh-url', 'https://a:SECRET@api.example.com'], {}, '--refresh-url: must be the http(s) URL of an API'],
    [['--refresh-url', 'https://api.example.com?key=SECRET'], {}, '--refresh-url: must be the http(s) URL of an API'],
    [
      ['--refresh-url', api],
      { CARREL_BUNDLE_KEY: 'svc_SECRET' },
      '--refresh-url also requires --refresh-domain or --refresh-job',
    ],
    [['--refresh-domain', 'docs.test'], { CARREL_BUNDLE_KEY: 'svc_SECRET' }, '--refresh-domain also requires --refresh-url'],
    [['--bundle', link, '--refresh-job', job], {}, '--refresh-job also requires --refresh-url'],
    [['--refresh-url', api, '--refresh-job', '1'], {}, '--refresh-job: must be the id of a job'],
    [['--refresh-url', api, '--refresh-domain', 'https://docs.test/'], {}, '--refresh-domain: must be the domain of a site'],
    [
      ['--refresh-url', api, '--refresh-job', job, '--refresh-domain', 'docs.test'],
      {},
      '--refresh-domain and --refresh-job exclude each other',
    ],
    [['--refresh-url', api, '--refresh-job', job], {}, 'an admin key (svc_…) in the environment variable CARREL_BUNDLE_KEY'],
    [
      ['--refresh-url', api, '--refresh-job', job],
      { CARREL_BUNDLE_KEY: 'svc_dsc_SECRET' },
      'CARREL_BUNDLE_KEY is not an admin key',
    ],
    [
      ['--refresh-url', api, '--refresh-job', job],
      { CARREL_BUNDLE_KEY: '"svc_SECRET"' },
      'CARREL_BUNDLE_KEY is not an admin key',
    ],
    ...[
      'ftp://a.example/discovery',
      'api.example.com',
      'https://user:SECRET@api.example.com',
      'https://api.example.com/?a',
      '//api.example.com',
      'https://',
    ].map((url): [string[], Record<string, string>, string] => [
      ['site', '--assistant-url', url, '--assistant-domain', 'docs.example.com'],
      {},
      '--assistant-url: must be an http(s) URL',
    ]),
    [['site', '--assistant-domain', 'https://docs.example.com/'], {}, '--assistant-domain: must be the domain of a site'],
    [['site', '--assistant-key', 'svc_SECRET'], {}, '--assistant-key: is an admin key'],
    [['--bundle', link], { CARREL_ASSISTANT_KEY: 'svc_SECRET' }, '--assistant-key: is an admin key'],
    [['site', '--assistant-key', 'svc_dsc_a b'], {}, '--assistant-key: must be an assistant key'],
    [['site', '--settings', 'none.json'], {}, '--settings: "none.json" cannot be read'],
    [['site', '--settings', '{ features: 1 }'], {}, '--settings: the text is not JSON'],
    [
      ['site'],
      { CARREL_SETTINGS: '{"features":{"playground":{"mode":"on"}}}' },
      'features.playground.mode must be off, mock, direct or proxy',
    ],
    [['site', '--settings', '{"features":{"assistant":{"key":"svc_SECRET"}}}'], {}, 'features.assistant.key is an admin key'],
    [['site', '--settings', '{"search":{}}'], {}, 'search'],
    [
      ['site', '--settings', '{"features":{"search":{"enabled":1},"analytics":{"mode":"on","hosts":["a; script-src *"]}}}'],
      {},
      'features.search.enabled must be true or false; features.analytics.mode must be off, own, providers or both; features.analytics.hosts.0 must be a host',
    ],
    [
      ['site', '--settings', '{"deployment":"air-gapped","features":{"analytics":{"mode":"providers"}}}'],
      {},
      'features.analytics.mode cannot be "providers" in an air-gapped export',
    ],
    [['site', '--assistant-url', '/discovery'], {}, '--assistant-url also requires --assistant-domain'],
    [['site'], { CARREL_ASSISTANT_DOMAIN: 'docs.example.com' }, '--assistant-domain also requires --assistant-url'],
    [['site', '--assistant-key', 'svc_dsc_a'], {}, '--assistant-key also requires --assistant-url and --assistant-domain'],
    [
      ['--bundle', link, '--assistant-key', 'svc_dsc_a'],
      {},
      '--assistant-key also requires --assistant-url and --assistant-domain',
    ],
  ])('%j %j', async (args, environment, message) => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await carrel(['serve', ...args], { cwd, env: { PATH: process.env.PATH, ...environment } });
    expect(stderr).toContain(message);
    expect(stderr).toContain('serve --help');
    expect(stderr).not.toMatch(/SECRET|\n {4}at /);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('a link', () => {
  /** Starts `carrel serve`, gives the address it tells, and what it told when it was stopped. */
  async function served(args: string[], environment: Record<string, string>, cwd: string) {
    const env = { PATH: process.env.PATH, ...environment };
    const server = startCarrel(['serve', '--port', '0', ...args], { cwd, env });
    const { child, ended } = server;
    const address = await printedAddress(server, /served at (http:\S+)/);
    const answer = await fetch(address);
    const home = await answer.text();
    const policy = answer.headers.get('content-security-policy');
    const settings = await (await fetch(`${address}carrel.config.js`)).text();
    child.kill('SIGTERM');
    return { home, policy, settings, ...(await ended) };
  }

  test('comes from the environment or from the command line, which takes precedence', async () => {
    const server = await startBundleServer(send(readFileSync(await archiveOf(whole))));
    const cwd = temporaryFolder();
    const byEnvironment = await served([], { CARREL_BUNDLE_URL: server.link, CARREL_BUNDLE_VERSION: '' }, cwd);
    expect(byEnvironment).toMatchObject({ home: '<p>Hi</p>', code: 0, stderr: '' });
    expect(readdirSync(join(cwd, '.carrel/bundle')).sort()).toEqual(['kept.json', 'sites']);
    const both = await served(['--bundle', server.link, '--version', 'x', '--keep', 'kept'], { CARREL_BUNDLE_URL: link }, cwd);
    expect(both).toMatchObject({ home: '<p>Hi</p>', code: 0, stderr: '' });
    expect(readdirSync(join(cwd, 'kept')).sort()).toEqual(['kept.json', 'sites']);
  });

  test('comes from an API, whose key is in the environment alone', async () => {
    const bundle = send(readFileSync(await archiveOf(whole)));
    const keys: (string | undefined)[] = [];
    const server = await startBundleServer((request, response) => {
      if (request.method !== 'POST') return bundle(request, response);
      keys.push(request.headers.authorization);
      response.end(JSON.stringify({ bundleUrl: server.link }));
    });
    const environment = {
      CARREL_BUNDLE_REFRESH_URL: `${new URL(server.link).origin}/`,
      CARREL_BUNDLE_REFRESH_JOB: job,
      CARREL_BUNDLE_KEY: 'svc_SECRET',
    };
    const told = await served([], environment, temporaryFolder());
    expect(told).toMatchObject({ home: '<p>Hi</p>', code: 0, stderr: '' });
    expect(server.requests[0]!.url).toBe(`/v1/static-export/jobs/${job}/bundle`);
    expect([keys, told.stdout.includes('SECRET')]).toEqual([['Bearer svc_SECRET'], false]);
  });

  test('a folder on the command line takes precedence over the environment', async () => {
    const cwd = temporaryFolder();
    const archive = await archiveOf(whole);
    expect(await served([archive], { CARREL_BUNDLE_URL: link }, cwd)).toMatchObject({ home: '<p>Hi</p>', code: 0 });
  });

  test('an assistant is added to the settings of a folder, a zip and a link', async () => {
    const archive = await archiveOf(whole);
    const server = await startBundleServer(send(readFileSync(archive)));
    const cwd = temporaryFolder();
    const folder = join(cwd, 'unpacked');
    await unpackBundle(archive, folder, {});
    writeFileSync(join(folder, 'carrel.config.js'), 'globalThis.__carrel_config = {"assistant":{"suggestions":["How?"]}};\n');
    const url = 'https://api.example.com/discovery';
    const options = ['--assistant-url', `${url}/`, '--assistant-domain', 'docs.example.com', '--assistant-key', 'svc_dsc_a'];
    const environment = {
      CARREL_ASSISTANT_URL: url,
      CARREL_ASSISTANT_DOMAIN: 'docs.example.com',
      CARREL_ASSISTANT_KEY: 'svc_dsc_a',
    };
    const cases: [args: string[], environment: Record<string, string>, suggestions?: string[]][] = [
      [[folder, ...options], {}, ['How?']],
      [[], { ...environment, CARREL_BUNDLE_URL: server.link }],
      [[archive, '--assistant-domain', 'docs.example.com'], { ...environment, CARREL_ASSISTANT_DOMAIN: 'other.example.com' }],
    ];
    for (const [args, variables, suggestions] of cases) {
      const { settings, policy, code } = await served(args, variables, cwd);
      const [, json = ''] = /^globalThis\.__carrel_config = (.*);\n$/s.exec(settings) ?? [];
      expect(JSON.parse(json)).toEqual({
        assistant: { url, domain: 'docs.example.com', key: 'svc_dsc_a', ...(suggestions && { suggestions }) },
      });
      expect([policy, code]).toEqual([expect.stringContaining("connect-src 'self' https://api.example.com"), 0]);
    }
  });

  test('settings of the pages are added to those of a folder and a zip', async () => {
    const archive = await archiveOf(whole);
    const cwd = temporaryFolder();
    const given = { features: { playground: { mode: 'proxy', url: 'https://carrel.example.com', domain: 'docs.example.com' } } };
    writeFileSync(join(cwd, 'settings.json'), JSON.stringify(given));
    const assistant = { url: '/discovery', domain: 'docs.example.com' };
    const both = ['--assistant-url', '/discovery', '--assistant-domain', 'docs.example.com'];
    const cases: [args: string[], environment: Record<string, string>, expected: object][] = [
      [['--settings', 'settings.json'], {}, given],
      [both, { CARREL_SETTINGS: JSON.stringify(given) }, { ...given, assistant }],
    ];
    for (const [args, variables, expected] of cases) {
      const { settings, policy, code } = await served([archive, ...args], variables, cwd);
      const [, json = ''] = /^globalThis\.__carrel_config = (.*);\n$/s.exec(settings) ?? [];
      expect(JSON.parse(json)).toEqual(expected);
      expect([policy, code]).toEqual([expect.stringContaining("connect-src 'self' https://carrel.example.com"), 0]);
    }
  });

  test.each([
    [{ deployment: 'cloud', features: {} }, 'deployment is "cloud", but the export is air-gapped.'],
    [{ features: { analytics: { mode: 'both' } } }, 'features.analytics.mode cannot be "both" in an air-gapped export'],
  ])('with settings that do not fit the deployment type exits with 1: %j', async (settings, message) => {
    const manifest = whole['carrel.json'].replace('"deployment":"cloud"', '"deployment":"air-gapped"');
    const archive = await archiveOf({ ...whole, 'carrel.json': manifest });
    const { code, stderr } = await carrel(['serve', '--port', '0', archive, '--settings', JSON.stringify(settings)]);
    expect(stderr).toContain(`Error (SettingsNotPossible): The settings do not fit the export: ${message}`);
    expect(code).toBe(1);
  });

  test('that is dead exits with 1 and says what to do', async () => {
    const { code, stderr } = await carrel(['serve', '--port', '0', '--bundle', link, '--keep', join(temporaryFolder(), 'kept')]);
    expect(stderr).toMatch(
      /^Error \(BundleNotFetched\): The bundle at http:\/\/127\.0\.0\.1:9\/bundle could not be downloaded: /m,
    );
    expect(stderr).not.toMatch(/SECRET|\n {4}at /);
    expect(code).toBe(1);
  });
});
