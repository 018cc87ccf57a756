import { expect, test } from 'vitest';
import { inlineHtml } from '../../../../src/site/view/inline-html.ts';

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
