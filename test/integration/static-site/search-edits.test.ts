import { expect, test } from 'vitest';
import { applyEdits } from '../../../integration/text/edit.ts';
import type { StaticSite } from '../../../integration/static-site/static-site.ts';
import { searchEdits } from '../../../integration/static-site/search-edits.ts';
import { isStarlightSearch } from '../../../integration/static-site/starlight-search.ts';
import { searchPositionReader } from '../../../integration/static-site/search-positions.ts';
import { readHtml } from '../../../integration/html/read-html.ts';

const site: StaticSite = { base: '/', content: { select: ['main'], ignore: [] }, search: 'button', allow: [] };

function edited(
  html: string,
  page: { language: string; docsVersion?: string; searchLabel?: string },
  search: StaticSite['search'] = 'button',
): string {
  const reader = searchPositionReader();
  readHtml(html, { open: (tag) => reader.open(tag), close: (...closed) => reader.close(...closed), text() {} });
  const urlOf = (file: string) => `../${file}`;
  return applyEdits(html, searchEdits(reader.positions(), { ...page, urlOf }, { ...site, search }, 'reader.js'));
}

const scripts = (search: string, label = '') =>
  `<script defer src="../carrel.config.js"></script><script defer src="../_carrel/reader.js" data-search="${search}"${label}></script>`;

test('the scripts come last in the head, without attributes that the page already has', () => {
  const html = '<html lang="en"><head><meta name="carrel:docs-version" content="2"><title>A</title></head><body></body></html>';
  expect(edited(html, { language: 'en', docsVersion: '2' })).toBe(html.replace('</head>', `${scripts('button')}</head>`));
});

test('language and docs version are written if only the export knows them, and the button has a label in that language', () => {
  expect(edited('<head></head><p>x', { language: 'fr', docsVersion: 'v"1', searchLabel: 'Rechercher' })).toBe(
    `<head><meta name="carrel:language" content="fr"><meta name="carrel:docs-version" content="v&quot;1">${scripts('button', ' data-label="Rechercher"')}</head><p>x`,
  );
});

test.each([
  ['<html lang="en"><title>A</title><body><p>x', '<html lang="en"><title>A</title>SCRIPTS<body><p>x'],
  ['<p>x', 'SCRIPTS<p>x'],
])('a page without a head gets the scripts too: %s', (html, expected) => {
  const language = html.includes('lang') ? '' : '<meta name="carrel:language" content="en">';
  expect(edited(html, { language: 'en' }, 'site')).toBe(expected.replace('SCRIPTS', language + scripts('site')));
});

test("the site's own buttons are shown; other hidden things stay hidden", () => {
  const html = '<html lang="en"><head></head><button data-carrel-search hidden disabled>S</button><button hidden>T</button>';
  expect(edited(html, { language: 'en' })).toContain('<button data-carrel-search  disabled>S</button><button hidden>T</button>');
});

test("Starlight's button opens our search; a button like it elsewhere does not", () => {
  const html =
    '<head></head><button data-open-modal>A</button><site-search><button data-open-modal disabled>S</button></site-search>';
  expect(edited(html, { language: 'en' })).toContain(
    '<button data-open-modal>A</button><site-search><button data-carrel-search data-open-modal disabled>S</button></site-search>',
  );
});

test('without search the page stays unchanged', () => {
  const html = '<head></head><site-search><button data-open-modal>S</button></site-search>';
  expect(edited(html, { language: 'en' }, 'off')).toBe(html);
});

test.each([
  ['import("/pagefind/x.js");customElements.define("site-search",class extends HTMLElement{})', true],
  ["import('./pagefind-ui.js');customElements.define(`site-search`,A)", true],
  ['customElements.define("site-search",class extends HTMLElement{})', false],
  ['import("/pagefind/pagefind.js")', false],
])("distinguishes Starlight's search from other modules: %s", (code, expected) => {
  expect(isStarlightSearch(code)).toBe(expected);
});
