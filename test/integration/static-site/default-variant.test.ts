import { describe, expect, test } from 'vitest';
import type { CarrelOptions } from '../../../integration/options.ts';
import type { BuiltSite } from '../../../integration/static-site/static-site.ts';
import { exported, page } from './export-files.ts';

const inLanguage = (language: string, head = '') => page(language, { head }).replace('lang="en"', `lang="${language}"`);
const stub = (to: string) => `<!doctype html><title>Redirect</title><meta http-equiv="refresh" content="0;url=${to}">`;
const alternates = (home: string) => `<link rel="alternate" hreflang="x-default" href="${home}">`;
const languages = {
  'de/index.html': inLanguage('de'),
  'en/guide/index.html': inLanguage('en'),
  'en/index.html': inLanguage('en'),
};
const versions = { 'v1/index.html': page('One'), 'v2/index.html': page('Two') };
const i18n = { de: 'de', en: 'en', '': 'en' };

interface Case {
  shape: string;
  files: Record<string, string>;
  options?: CarrelOptions;
  site?: Partial<BuiltSite>;
  language: string;
  version?: string;
  /** The redirect target of `index.html` in the export. */
  entry?: string;
}

describe('language and docs version of a reader who names neither', () => {
  test.each<Case>([
    {
      shape: 'languages, and a redirect at the root',
      files: { ...languages, 'index.html': stub('/en/') },
      language: 'en',
      entry: 'en/index.html',
    },
    {
      shape: 'a relative redirect below a base, by way of another redirect',
      files: { ...languages, 'index.html': stub('start.html'), 'start.html': stub('/docs/en/?from=start') },
      site: { base: '/docs/' },
      language: 'en',
      entry: 'en/index.html?from=start',
    },
    {
      shape: 'versions, and a redirect of the generator',
      files: versions,
      options: { versions: { v1: '1.x', v2: '2.x' } },
      site: { redirects: [{ from: '', to: '/v2/' }] },
      language: 'en',
      version: '2.x',
      entry: 'v2/index.html',
    },
    {
      shape: 'languages and versions, and a redirect at the root',
      files: {
        'index.html': stub('/en/v2/'),
        'de/v1/index.html': inLanguage('de'),
        'de/v2/index.html': inLanguage('de'),
        'en/v1/index.html': inLanguage('en'),
        'en/v2/index.html': inLanguage('en'),
      },
      options: { versions: { 'de/v1': '1.x', 'de/v2': '2.x', 'en/v1': '1.x', 'en/v2': '2.x' } },
      language: 'en',
      version: '2.x',
      entry: 'en/v2/index.html',
    },
    {
      shape: 'x-default on a page',
      files: { ...languages, 'de/index.html': inLanguage('de', alternates('https://docs.example.com/en/')) },
      language: 'en',
      entry: 'en/index.html',
    },
    {
      shape: 'the default locale of the generator',
      files: languages,
      site: { languages: i18n },
      language: 'en',
      entry: 'en/index.html',
    },
    { shape: 'the option language', files: languages, options: { language: 'en' }, language: 'en', entry: 'en/index.html' },
    { shape: 'nothing that says it', files: languages, language: 'de', entry: 'de/index.html' },
    {
      shape: 'a redirect to another site',
      files: { ...languages, 'index.html': stub('https://example.com/') },
      language: 'de',
      entry: 'https://example.com/',
    },
    {
      shape: 'a page at the root',
      files: { ...languages, 'index.html': inLanguage('fr', alternates('/en/')) },
      options: { language: 'en' },
      site: { languages: i18n },
      language: 'fr',
    },
  ])('$shape', async ({ files, options, site, language, version, entry }) => {
    const { manifest, files: written } = await exported(files, options, site);
    expect([manifest.defaultLanguage, manifest.defaultDocsVersion]).toEqual([language, version]);
    expect(/http-equiv="refresh" content="0; url=([^"]*)"/.exec(written['index.html']!)?.[1]).toBe(entry);
  });
});
