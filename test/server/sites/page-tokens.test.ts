import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPageTokens } from '../../../server/sites/page-tokens.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const clock = { now: start };
beforeEach(() => void (clock.now = start));

const site = { domain: 'docs.test', organization: 'team', settings: {}, createdAt: new Date(start) };
const secret = 'a secret of the tests, which is long enough';

function openTokens({
  seconds = 3600,
  skew = 0,
  sitesUrl = 'https://sites.example.com',
}: { seconds?: number; skew?: number; sitesUrl?: string } = {}) {
  return createPageTokens({ options: { pageTokenSeconds: seconds }, secrets: [secret], sitesUrl, now: () => clock.now + skew });
}

const refused = (code: string) => expect.objectContaining({ code, status: 401 });

describe('a token', () => {
  test('is valid for an hour at most, and for most of it', () => {
    const tokens = openTokens();
    const token = tokens.create(site);
    clock.now = start + 3_500_000;
    expect(tokens.keyOf(token, site)).toMatchObject({
      ...{ organization: 'team', kind: 'assistant', domains: ['docs.test'], scopes: [], isOfPage: true },
    });
    clock.now = start + 3_600_000;
    expect(() => tokens.keyOf(token, site)).toThrow(refused('PageTokenExpired'));
  });

  test.each([-60_000, 60_000])('is accepted by a server whose clock is %d ms ahead', (skew) => {
    const token = openTokens().create(site);
    expect(openTokens({ skew }).keyOf(token, site)).toMatchObject({ organization: 'team' });
  });

  test('of a private site is good for one audience, until its password changes', () => {
    const tokens = openTokens();
    const audiences = [
      { groups: ['partner'], password: 'a hash' },
      { groups: ['staff'], password: 'another hash' },
    ];
    const closed = { ...site, settings: { password: 'a first hash', audiences } };
    const groupsOf = (token: string, of = closed) => tokens.keyOf(token, of).groups;
    expect(groupsOf(tokens.create(closed))).toEqual([]);
    expect(groupsOf(tokens.create(closed, { groups: ['staff'] }))).toEqual(['staff']);
    const ids = [[], ['partner'], ['staff']].map((groups) => tokens.keyOf(tokens.create(closed, { groups }), closed).id);
    expect(new Set(ids).size).toBe(3);
    const invalid = refused('PageTokenInvalid');
    // Of a time when everybody could read the site, and of an audience with another password, and with other groups.
    expect(() => groupsOf(tokens.create(site))).toThrow(invalid);
    const changed = [
      { ...audiences[0]!, password: 'a new hash' },
      { ...audiences[1]!, groups: ['partner', 'staff'] },
    ];
    for (const groups of [['partner'], ['staff']])
      expect(() =>
        groupsOf(tokens.create(closed, { groups }), { ...closed, settings: { ...closed.settings, audiences: changed } }),
      ).toThrow(invalid);
    expect(() => tokens.keyOf(tokens.create(closed, { groups: ['partner'] }), site)).toThrow(invalid);
  });

  test('is the same for all requests of a while', () => {
    const tokens = openTokens();
    const first = tokens.create(site);
    clock.now += 59_000;
    expect(tokens.create(site)).toBe(first);
    clock.now += 1000;
    expect(tokens.create(site)).not.toBe(first);
  });

  test('of a short lifetime expires within it', () => {
    const tokens = openTokens({ seconds: 2 });
    const token = tokens.create(site);
    clock.now += 1000;
    expect(tokens.keyOf(token, site)).toBeDefined();
    clock.now += 1000;
    expect(() => tokens.keyOf(token, site)).toThrow(refused('PageTokenExpired'));
  });

  test.each<[string, typeof site | undefined, sitesUrl?: string]>([
    ['another site', { ...site, domain: 'other.test' }],
    ['a site that does not exist', undefined],
    ['the same domain in another organization', { ...site, organization: 'rivals' }],
    ['the same site at another public URL', { ...site, settings: { siteUrl: 'https://new.example.com' } }],
    ['a server that serves its sites elsewhere', site, 'https://elsewhere.example.com'],
  ])('is not accepted for %s', (_name, other, sitesUrl) => {
    const token = openTokens().create(site);
    expect(() => openTokens({ sitesUrl }).keyOf(token, other)).toThrow(refused('PageTokenInvalid'));
  });

  const token = openTokens().create(site);
  const [, expires = '', signature = ''] = /^page_(\d+)\.(.+)$/.exec(token)!;
  const signed = (key: string, what: unknown) => createHmac('sha256', key).update(JSON.stringify(what)).digest('base64url');
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  test.each<[string, string]>([
    ['a later expiry', `page_${Number(expires) + 3600}.${signature}`],
    ['the same expiry in another form', `page_0${expires}.${signature}`],
    ['an expiry that is not a number', `page_1e12.${signature}`],
    ['a truncated signature', token.slice(0, -1)],
    ['more than a signature', `${token}A`],
    ['another letter at its end', token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['no signature', `page_${expires}.`],
    ['no expiry', `page_.${signature}`],
    ['nothing', 'page_'],
    ['the signature of another secret', `page_${expires}.${signed('x', ['page', 'team', 'docs.test', [], expires])}`],
    ['an unsigned hash', `page_${expires}.${signed('', expires)}`],
    ['a JSON web token without an algorithm', `page_${base64({ alg: 'none' })}.${base64({ domain: 'docs.test' })}.`],
  ])('with %s is refused', (_name, forged) => {
    expect(openTokens().keyOf(token, site)).toBeDefined();
    expect(() => openTokens().keyOf(forged, site)).toThrow(refused('PageTokenInvalid'));
  });
});

test.each<[sitesUrl: string, siteUrl: string | undefined, origins: string[]]>([
  ['https://sites.example.com/docs', undefined, ['https://sites.example.com', 'https://docs.test', 'http://docs.test']],
  [
    'https://sites.example.com',
    'https://help.example.com/guide/',
    ['https://sites.example.com', 'https://help.example.com', 'https://docs.test', 'http://docs.test'],
  ],
  [
    'http://127.0.0.1:4401',
    'https://docs.test/',
    ['http://localhost:4401', 'http://127.0.0.1:4401', 'http://[::1]:4401', 'https://docs.test', 'http://docs.test'],
  ],
])('the sites of %s with the public URL %s have their origins', (sitesUrl, siteUrl, origins) => {
  const tokens = openTokens({ sitesUrl });
  const published = { ...site, settings: { siteUrl } };
  expect(tokens.keyOf(tokens.create(published), published).origins).toEqual(origins);
});
