import { expect, test } from 'vitest';
import { inlineHtml, siteConfig } from '../../../src/site/site-config.ts';
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

test('the stylesheet of the fonts comes before those of the folder', () => {
  const fonts = { assets: [{ path: '_carrel/site-fonts.css', contents: '' }], found: new Set(['Own']), missing: new Map() };
  const { styles } = siteConfig(sourceOf(['a'], { fonts: { family: 'Own', source: 'own.woff2' } }, ['style.css']), { fonts });
  expect(styles).toEqual(['/_carrel/site-fonts.css', '/style.css']);
});

test('stylesheets of the folder are linked', () => {
  expect(configOf({}, ['style.css', 'a/b.css', 'x.png']).styles).toEqual(['/style.css', '/a/b.css']);
});

test('stylesheets of a folder without docs.json, which are those of another theme or of examples, are not linked', () => {
  expect(siteConfig(sourceOf(['a'], null, ['style.css'])).styles).toEqual([]);
});

test.each([
  ['Plain & simple', 'Plain &amp; simple'],
  ['**New**: [read more](/blog) or `npm i`', '<strong>New</strong>: <a href="/blog">read more</a> or <code>npm i</code>'],
  ['*one* _two_ snake_case_name 2 * 3 * 4', '<em>one</em> <em>two</em> snake_case_name 2 * 3 * 4'],
  [
    '[**bold** link](https://example.com/?a=1&b="2")',
    '<a href="https://example.com/?a=1&amp;b=&quot;2&quot;"><strong>bold</strong> link</a>',
  ],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['[x](javascript:alert) [y](//host) [z](data:x)', 'x y z'],
  ['`<b>**not bold**</b>`', '<code>&lt;b&gt;**not bold**&lt;/b&gt;</code>'],
  ['**New: [tide tables](/tables)**', '<strong>New: <a href="/tables">tide tables</a></strong>'],
  [
    '**`code` and [a link](/a)** *[b](/b)*',
    '<strong><code>code</code> and <a href="/a">a link</a></strong> <em><a href="/b">b</a></em>',
  ],
  ['Ships&nbsp;& boats &mdash; &#x2693; &unknown;', 'Ships\u00a0&amp; boats — ⚓ &amp;unknown;'],
  ['\\*Stars\\* stay', '*Stars* stay'],
  ['[over\ntwo lines](/a)', '<a href="/a">over\ntwo lines</a>'],
  ['# 1. not a heading', '# 1. not a heading'],
  ['- no list', '- no list'],
  ['<https://example.com/a>', '<a href="https://example.com/a">https://example.com/a</a>'],
  ['&#106;avascript: [x](&#106;avascript:alert(1)) [y](\tjavascript:alert)', 'javascript: x y'],
  ['[<img src=x>](/a)', '<a href="/a">&lt;img src=x&gt;</a>'],
])('%s', (markdown, html) => {
  expect(inlineHtml(markdown)).toBe(html);
});

test('pages of a language have its own banner, footer and links in place of the site’s', () => {
  const languages = [
    { language: 'en', pages: ['a'] },
    { language: 'cn', pages: ['a'], banner: { content: '*你好*' }, navbar: { links: [{ label: '状态', href: '/s' }] } },
  ];
  const { byLanguage } = configOf({ navigation: { versions: [{ version: '1', languages }] }, banner: { content: 'Hello' } });
  expect(byLanguage).toEqual({
    zh: {
      banner: { content: '<em>你好</em>', dismissible: false, type: 'info' },
      navbar: { links: [expect.objectContaining({ label: '状态', href: '/s' })] },
    },
  });
});

test.each([
  ['#fff', { light: '#fff', dark: '#fff' }],
  [
    { light: '#fff', dark: '#000' },
    { light: '#fff', dark: '#000' },
  ],
  [{ dark: '#000' }, { light: '#000', dark: '#000' }],
])('the banner’s color %j holds for both color schemes', (color, expected) => {
  expect(configOf({ banner: { content: 'x', color } }).banner?.color).toEqual(expected);
});

test.each([
  ['dracula', { codeblocks: 'dark', codeTheme: { light: 'dracula', dark: 'dracula' } }],
  [{ theme: 'github-light' }, { codeblocks: 'light', codeTheme: { light: 'github-light', dark: 'github-light' } }],
  [
    { theme: { light: 'github-light', dark: 'nord' } },
    { codeblocks: 'system', codeTheme: { light: 'github-light', dark: 'nord' } },
  ],
  ['dark', { codeblocks: 'dark' }],
  ['no-such-theme', { codeblocks: 'system' }],
  [{ theme: { light: 'github-light' } }, { codeblocks: 'system' }],
  [7, { codeblocks: 'system' }],
])('styling.codeblocks %j', (written, expected) => {
  const { codeblocks, codeTheme, styles } = configOf({ styling: { codeblocks: written } });
  expect({ codeblocks, ...(codeTheme && { codeTheme }) }).toEqual(expected);
  expect(styles).toEqual(codeTheme ? ['/_carrel/code-theme.css'] : []);
});
