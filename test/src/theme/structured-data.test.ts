import { expect, test } from 'vitest';
import { structuredData } from '../../../src/theme/structured-data.ts';
import { samplePage, sampleReader } from './sample-page.ts';

const url = 'https://docs.example.com/base';
const read = (change: Parameters<typeof samplePage>[1]) => {
  const page = samplePage(sampleReader, { ...change, site: { url, ...change?.site } });
  return structuredData(page, 'https://docs.example.com/base/guides/install');
};

test('search engines read the page, its site and its groups', () => {
  const data = JSON.parse(read({ config: { organization: { name: 'Acme Ltd', sameAs: ['https://acme.example'] } } })!);
  expect(data['@graph']).toEqual([
    {
      '@type': 'TechArticle',
      headline: 'Install',
      url: 'https://docs.example.com/base/guides/install',
      inLanguage: 'en',
      isPartOf: { '@type': 'WebSite', name: 'Acme', url: 'https://docs.example.com/base/' },
      publisher: { '@type': 'Organization', name: 'Acme Ltd', sameAs: ['https://acme.example'] },
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Guides', item: 'https://docs.example.com/base/guides/about' },
        { '@type': 'ListItem', position: 2, name: 'Install', item: 'https://docs.example.com/base/guides/install' },
      ],
    },
  ]);
});

test('a title cannot end the script element', () => {
  const text = read({ page: { title: '</script><script>alert(1)</script>' } })!;
  expect(text).not.toContain('<');
  expect(JSON.parse(text)['@graph'][0].headline).toBe('</script><script>alert(1)</script>');
});

test('a page that search engines should not list has none, nor a site without a URL', () => {
  expect(read({ page: { noindex: true } })).toBeUndefined();
  expect(read({ site: { url: undefined } })).toBeUndefined();
});
