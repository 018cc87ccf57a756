import { expect, test } from 'vitest';
import { readHtml } from '../../../integration/html/read-html.ts';
import { readHead } from '../../../integration/page/read-page.ts';
import { appOf, withoutApp, type AppEdits } from '../../../integration/static-site/page-apps.ts';
import { applyEdits } from '../../../integration/text/edit.ts';

const head = '<meta name="generator" content="Docusaurus v3.5.2">';
const app = appOf(readHead(`<head>${head}</head>`));

test.each([
  ['<script src="/assets/js/main.1a2b.js" defer></script>', ''],
  ["<SCRIPT defer src='./assets/js/runtime~main.9f.js?v=2'>\n</SCRIPT >", ''],
  ['<script src=/assets/js/main.1a2b.js></script>', ''],
  ['<script src="/assets/js/other.1a2b.js"></script>', '<script src="/assets/js/other.1a2b.js"></script>'],
  ['<script>load("/assets/js/main.1a2b.js")</script>', '<script>load("/assets/js/main.1a2b.js")</script>'],
  ['<!-- <script src="/assets/js/main.1a2b.js"></script> -->', '<!-- <script src="/assets/js/main.1a2b.js"></script> -->'],
  [
    '<button title="a > b" class="DocSearch DocSearch-Button">',
    '<button title="a > b" class="DocSearch DocSearch-Button" data-carrel-search>',
  ],
])('of %j, %j stays', (html, expected) => {
  if (!app) throw new Error('Docusaurus is not recognized.');
  const whole = `<head></head><body>${html}</body>`;
  const found: AppEdits = { edits: [] };
  readHtml(whole, withoutApp(whole, app, { open() {}, close() {}, text() {} }, found));
  expect(applyEdits(whole, found.edits)).toBe(`<head><style>${app.shown}</style></head><body>${expected}</body>`);
});
