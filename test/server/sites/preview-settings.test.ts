import { expect, test } from 'vitest';
import { domainSchema } from '../../../server/http/field-schemas.ts';
import {
  hasPreview,
  mayHavePreviews,
  previewedDomain,
  previewNames,
  previewsSchema,
} from '../../../server/sites/preview-settings.ts';
import { settingsOfPreview, siteSettingsSchema } from '../../../server/sites/sites.ts';

const settings = (branches: 'all' | string[]) => previewsSchema.parse({ branches });

test.each([
  ['next', 'docs.acme.com--next'],
  ['v1-2', 'docs.acme.com--v1-2'],
  ['feature/Login', 'docs.acme.com--feature-login-'],
  ['release.2', 'docs.acme.com--release-2-'],
  ['größer/für', 'docs.acme.com--gro-er-fur-'],
  ['文档', 'docs.acme.com--'],
  ['--', 'docs.acme.com--'],
  ['a--b', 'docs.acme.com--a-b-'],
  ['x'.repeat(250), `docs.acme.com--${'x'.repeat(49)}-`],
])('a preview of %s is named %s', (branch, begin) => {
  const [name] = previewNames('docs.acme.com', branch);
  expect(name).toMatch(new RegExp(`^${begin.replaceAll('.', '\\.')}${begin.endsWith('-') ? '[0-9a-f]{8}' : ''}$`));
});

const alike = ['a-b', 'a/b', 'a.b', 'a_b', 'A-B', 'a--b', 'ä-b', '-a-b', 'a-b-'];
const hostile = ['x'.repeat(250), `${'x'.repeat(249)}y`, '文'.repeat(80), '\u202e', '%2e%2e', "'; drop table", '<b>', 'xn--a'];

test.each(['docs.acme.com', 'manual', `${'d'.repeat(53)}`, `${'long.'.repeat(48)}com`])(
  'all names of previews of %s are different host names that lead back to it',
  (domain) => {
    expect(mayHavePreviews(domain)).toBe(true);
    const names = [...alike, ...hostile].map((branch) => previewNames(domain, branch));
    for (const name of names.flat()) {
      expect(domainSchema.safeParse(name).data).toBe(name);
      expect(previewedDomain(name)).toBe(domain);
    }
    expect(new Set(names.map(([name]) => name)).size).toBe(alike.length + hostile.length);
    expect(new Set(names.flat()).size).toBeGreaterThanOrEqual(alike.length + hostile.length);
  },
);

test('a domain that is too long has no previews', () => {
  expect(mayHavePreviews('d'.repeat(54))).toBe(false);
  expect(mayHavePreviews(`${'long.'.repeat(49)}com`)).toBe(false);
});

test('names in other scripts are not those of previews', () => {
  expect(previewedDomain('xn--bcher-kva')).toBeUndefined();
  expect(previewedDomain('docs.xn--p1ai')).toBeUndefined();
  expect(previewedDomain('xn--bcher-kva.example')).toBeUndefined();
  expect(previewedDomain('a--b.example.com')).toBeUndefined();
  expect(previewedDomain('a--b')).toBe('a');
});

test('patterns choose branches, and names that git does not allow never have previews', () => {
  expect(hasPreview(settings('all'), 'feature/a.b')).toBe(true);
  const some = settings(['next', 'docs/*', 'release/**']);
  for (const branch of ['next', 'docs/login', 'release/1/2']) expect(hasPreview(some, branch), branch).toBe(true);
  for (const branch of ['nextt', 'docs/a/b', 'docs', 'Next']) expect(hasPreview(some, branch), branch).toBe(false);
  for (const branch of ['..', 'a/../b', '../../etc', 'a b', '-x', 'a..b', 'a.lock', '@', 'a\0b', '\ud800', 'x'.repeat(256)])
    expect(hasPreview(settings('all'), branch), branch).toBe(false);
});

test.each([
  [{ branches: [] }, 'branches'],
  [{ branches: 'some' }, 'branches must be "all" or a list'],
  [{ branches: ['*a*b*c*d*'] }, 'branches'],
  [{ branches: ['a..b'] }, 'branches'],
  [{ branches: 'all', days: 0 }, 'days'],
  [{ branches: 'all', most: 51 }, 'most'],
  [{ branches: 'all', forks: true }, 'forks'],
])('%j is refused', (given, message) => {
  const { error } = previewsSchema.safeParse(given);
  expect(error?.issues.map((issue) => [...issue.path, issue.message].join(' ')).join()).toContain(message);
});

test('a preview has neither the analytics nor the model of its site', () => {
  const site = siteSettingsSchema.parse({
    siteUrl: 'https://docs.acme.com',
    schedule: { everyMinutes: 5 },
    features: { search: { enabled: false }, analytics: { mode: 'own' }, playground: { mode: 'proxy' } },
  });
  expect(settingsOfPreview({ ...site, assistant: { tools: true } })).toEqual({
    builder: 'docs',
    deployment: 'client-hosted',
    features: {
      search: { enabled: false },
      assistant: { mode: 'quotes' },
      analytics: { mode: 'off' },
      playground: { mode: 'off' },
    },
  });
  const off = siteSettingsSchema.parse({ features: { assistant: { mode: 'off' } } });
  expect(settingsOfPreview(off).features).toEqual({ assistant: { mode: 'off' }, analytics: { mode: 'off' } });
});
