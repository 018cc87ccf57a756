import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

/** HTML of a page with its tooltips as `[word|definition]`. */
async function rendered(body: string, terms: Record<string, string> | [string, string][]) {
  const glossary = new Map(Array.isArray(terms) ? terms : Object.entries(terms));
  const { html, markdown, linkTargets } = await createRenderer({ ...options, glossary }).render(page(body));
  return { markdown, linkTargets, html: html.replace(tooltip, '[$1|$2]') };
}

const tooltip =
  /<span class="c-tooltip"><span class="c-tooltip-word" tabindex="0" aria-describedby="(?:[^"]*)">(.*?)<\/span><span class="c-tooltip-tip" role="tooltip" id="(?:[^"]*)" data-carrel-skip=""> (.*?)<\/span><\/span>/gs;

test('the first occurrence of a term on a page gets a tooltip with its definition, and the Markdown version does not change', async () => {
  const body = 'A **webhook** calls you.\nEach webhook\nis signed.\n\n- One webhook';
  const { html, markdown, linkTargets } = await rendered(body, {
    webhook: 'A *call* & <b>more</b><script>alert(1)</script>',
    api: 'x',
  });
  expect(html).toBe(
    '<p>A <strong>[webhook|A <em>call</em> &#x26; morealert(1)]</strong> calls you.\nEach webhook\nis signed.</p>\n<ul>\n<li>One webhook</li>\n</ul>',
  );
  expect(markdown).toBe(body);
  expect(linkTargets).toEqual([['carrel-term:webhook', 'A *call* & <b>more</b><script>alert(1)</script>']]);
});

test.each<[string, string, string[]]>([
  ['the longest term', 'A load balancer, then a load.', ['load balancer', 'load']],
  ['a term over a line break', 'The load\nbalancer', ['load\nbalancer']],
  ['whole words', 'Preload, loads, load_x, xload and loadé; (load)', ['load']],
  ['a capital at the start of a sentence', 'No Load here. Load there.', ['Load']],
  ['an acronym as written', 'Api, api, APIs, then API.', ['API']],
  ['signs in terms', 'C, C++, .NET and C', ['C', 'C++', '.NET']],
  ['Chinese words', '京都在哪里？东京都在日本。', ['京都']],
  ['Japanese words, not parts of them', '東京都の京都とウェブフックを使う', ['京都', 'ウェブフック']],
  ['Thai words', 'ผมใช้คอมพิวเตอร์ทุกวัน', ['คอมพิวเตอร์']],
  ['Korean words with particles', '웹훅을 쓴다', ['웹훅']],
  ['Latin terms between others', 'このAPIを使う', ['API']],
  ['accents', 'Un café, un cafétéria', ['café']],
])('finds %s', async (_, body, words) => {
  const terms = 'load|load balancer|API|C|C++|.NET|京都|ウェブフック|คอมพิวเตอร์|웹훅|café|__proto__'.split('|');
  const { html } = await rendered(
    body,
    terms.map((term) => [term, `of ${term.length}`]),
  );
  expect([...html.matchAll(/\[([^|]*)\|/g)].map(([, word]) => word)).toEqual(words);
});

test.each([
  '## A load',
  '<h3>load</h3>',
  '[load](https://example.com)',
  '[load][a]\n\n[a]: https://example.com',
  '`load`',
  '```\nload\n```',
  '<pre>load</pre>',
  '<Tooltip tip="load">load</Tooltip>',
  '<Note title="load">x</Note>',
  '<Card title={<b>load</b>} href="/x">load</Card>',
  '<details><summary>load</summary>x</details>',
  '<Visibility for="agents">load</Visibility>',
  '$$\nload\n$$',
])('leaves %j unchanged', async (body) => {
  expect((await rendered(body, { load: 'Work' })).html).toBe((await rendered(body, {})).html);
});

test('a term is found after places that have none, and in the text of components', async () => {
  const { html } = await rendered('# load\n\n<Note>The load</Note>', { load: 'Work', __proto__: 'x' });
  expect(html).toContain('The [load|Work]');
});
