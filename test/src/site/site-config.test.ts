import { expect, test } from 'vitest';
import { siteConfig } from '../../../src/site/site-config.ts';
import { sourceOf } from './site-of.ts';

function configOf(config: Record<string, unknown> | null, assets?: string[]) {
  return siteConfig(sourceOf(['a'], config, assets));
}

test('a folder without configuration has every default', () => {
  expect(configOf(null)).toMatchObject({
    colors: { primary: '#2563eb', light: '#2563eb', dark: '#2563eb' },
    appearance: { default: 'system', strict: false },
    iconLibrary: 'fontawesome',
    eyebrows: 'section',
    codeblocks: 'system',
    navbar: { links: [] },
    footer: { socials: {}, links: [] },
    indexing: 'navigable',
    notFound: { redirect: true },
    variables: {},
    styles: [],
  });
});

test('missing colors are derived from the first', () => {
  expect(configOf({ colors: { primary: '#111111', dark: '#222222' } }).colors).toEqual({
    primary: '#111111',
    light: '#111111',
    dark: '#222222',
  });
});

test('URLs are root-relative or external', () => {
  const config = configOf({
    logo: { light: 'logo.svg', dark: './dark.svg', href: 'https://example.com' },
    favicon: '/favicon.svg',
    navbar: {
      links: [{ label: 'A', href: 'a' }, { type: 'github', href: 'https://github.com/x/y' }, { href: '/nameless' }],
      primary: { type: 'button', label: 'Go', href: '/go' },
    },
    footer: { links: [{ header: 'H', items: [{ label: 'A', href: 'a' }] }] },
  });
  expect(config.logo).toEqual({ light: '/logo.svg', dark: '/dark.svg', href: 'https://example.com' });
  expect(config.favicon).toEqual({ light: '/favicon.svg', dark: '/favicon.svg' });
  expect(config.navbar).toEqual({
    links: [
      { label: 'A', href: '/a' },
      { label: 'GitHub', href: 'https://github.com/x/y', type: 'github' },
    ],
    primary: { label: 'Go', href: '/go', type: 'button' },
  });
  expect(config.footer.links).toEqual([{ header: 'H', items: [{ label: 'A', href: '/a' }] }]);
});

test('one font serves headings and text, unless each has its own', () => {
  expect(configOf({ fonts: { family: 'A', source: 'a.woff2', heading: { family: 'B', weight: 700 } } }).fonts).toEqual({
    heading: { family: 'B', weight: 700 },
    body: { family: 'A', source: '/a.woff2' },
  });
});

test('the text of the 404 page is safe HTML', () => {
  const { notFound } = configOf({
    errors: { '404': { redirect: false, title: 'Lost <b>', description: '<b>Try</b> [this](/start).' } },
  });
  expect(notFound).toEqual({
    redirect: false,
    title: 'Lost <b>',
    description: '&lt;b&gt;Try&lt;/b&gt; <a href="/start">this</a>.',
  });
});

test('a banner is safe HTML', () => {
  expect(configOf({ banner: { content: '<b>x</b> [y](/z)' } }).banner).toEqual({
    content: '&lt;b&gt;x&lt;/b&gt; <a href="/z">y</a>',
    dismissible: false,
    type: 'info',
  });
});

test('stylesheets of the folder are linked', () => {
  expect(configOf({}, ['style.css', 'a/b.css', 'x.png']).styles).toEqual(['/style.css', '/a/b.css']);
});
