import { describe, expect, test } from 'vitest';
import { contentParts, readContent, readSections } from '../../../integration/page/sections.ts';
import { marks } from '../../../integration/search/text-marks.ts';

const page = { path: 'guides/a', title: 'Title', language: 'en' };
const sections = (html: string) => readSections(html, page);
/** Anchor, headings and text of each section. */
const outline = (html: string) =>
  sections(html).map(({ id, headings, text }) => [id.slice('guides/a'.length), headings.join(' > '), text]);
const texts = (html: string) => sections(html).map(({ text }) => text);

test('a page is divided at its headings, each with its parent headings', () => {
  const html = `<nav>menu</nav><main data-carrel-content><h1 id="t">Title</h1><p>Intro.</p>
    <h2 id="a">A</h2><p>One</p><h3 id="b">B</h3><p>Two</p><h4 id="c">C</h4>Three<h3 id="d">D</h3>Four<h2 id="e">E</h2>Five</main><footer>foot</footer>`;
  expect(outline(html)).toEqual([
    ['', '', 'Intro.'],
    ['#a', 'A', 'One'],
    ['#b', 'A > B', 'Two'],
    ['#c', 'A > B > C', 'Three'],
    ['#d', 'A > D', 'Four'],
    ['#e', 'E', 'Five'],
  ]);
});

test('a section has its page and anchor', () => {
  expect(readSections('<main>Hi</main>', { path: '', title: 'Home', language: 'de', docsVersion: 'v2' })).toEqual([
    { id: '', page: '', title: 'Home', headings: [], text: 'Hi', marked: 'Hi', code: '', language: 'de', docsVersion: 'v2' },
  ]);
});

test('code is stored separately, with its lines', () => {
  const [section] = sections(
    '<main>Run <code>npm i</code>:<pre><code><span class="line"><span>npm</span> start</span>\n<span>x  &lt; y</span>\n</code></pre>then<pre>two</pre></main>',
  );
  expect([section?.text, section?.code]).toEqual(['Run npm i:\nthen', 'npm start\nx  < y\ntwo']);
});

test.each([
  ['a pre of the class mermaid', '<pre class="mermaid">graph TD; A-->B</pre>'],
  ['a div of the class mermaid', '<div class="mermaid">graph TD; A-->B</div>'],
  ['code with the class of the language', '<pre><code class="language-mermaid">graph TD; A-->B</code></pre>'],
  ['a wrapper with the class of the language', '<div class="language-mermaid"><pre><code>graph TD; A-->B</code></pre></div>'],
  ['a pre with the language', '<pre data-language="mermaid"><code>graph TD; A-->B</code></pre>'],
  ['a pre with lang', '<pre lang="mermaid"><code>graph TD; A-->B</code></pre>'],
])('the source of a Mermaid diagram is not text: %s', (_, html) => {
  const [section] = sections(`<main><p>Before</p>${html}<p>after</p></main>`);
  expect([section?.text, section?.code]).toEqual(['Before\nafter', '']);
});

test('the source of a Mermaid diagram stays in the content, of which the Markdown version is made', () => {
  const html = '<main><p>Before</p><pre class="mermaid">graph TD</pre><p>after</p></main>';
  const content = readContent(html, page, contentParts(html));
  expect(content?.slices.map(([start, end]) => html.slice(start, end))).toEqual([
    '<p>Before</p><pre class="mermaid">graph TD</pre><p>after</p>',
  ]);
});

test('Base64 data is neither text nor code, but hashes are', () => {
  const data = btoa('Carrel makes a documentation site portable. '.repeat(9));
  const hash = '0123456789abcdef'.repeat(8);
  const [section] = sections(`<main><p>Logo: ${data} end</p><pre>src="data:image/png;base64,${data}"\n${hash}</pre></main>`);
  expect([section?.text, section?.code]).toEqual(['Logo: … end', `src="data:image/png;base64,…"\n${hash}`]);
});

describe('the marked text', () => {
  const marked = (html: string) => sections(`<main>${html}</main>`)[0]?.marked;
  const { codeWord, inlineCode, cell, head, step, item, description, code } = marks;

  test.each([
    [
      'inline code of a word',
      '<p>Run <code>npm</code>, then <code>f(x)</code>.</p>',
      `Run ${codeWord}npm, then ${codeWord}f(x).`,
    ],
    ['other inline code', '<p>Run <code>npm start</code> now</p>', `Run ${inlineCode}npm start${inlineCode} now`],
    [
      'inline code that ends like a sentence',
      '<p>Write <code>a.</code> or <code>b</code>c</p>',
      `Write ${inlineCode}a.${inlineCode} or ${inlineCode}b${inlineCode}c`,
    ],
    ['items', '<ol><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ol>', `${step}a\n${item}b\n${step}c\nd`],
    [
      'a table',
      '<table><thead><tr><th>K<th>V<tbody><tr><td><p>a</p><p>b</p><td>c<tr><td><td>d</table>',
      `${head}K${cell}V\na b${cell}c\n${cell}d`,
    ],
    ['a table that arranges a page', '<table><tr><td><p>a</p><p>b</p></table>', 'a\nb'],
    ['code in its place', '<p>a:</p><pre>x\n\ny</pre><p>b</p><pre>z</pre>', `a:${code}x\ny${code}b${code}z`],
    ['the description', '<p data-carrel-description>a</p><p>b</p>', `${description}a\nb`],
    ['characters of marks in a page', '<p>a\x7fb\x84c</p><pre>\x84d</pre>', `abc${code}d`],
  ])('%s', (_, html, expected) => {
    expect(marked(html)).toBe(expected);
  });
});

describe('the main content', () => {
  test.each([
    ['the marked element wins over main', '<main>no<div data-carrel-content>yes</div>no</main>', ['yes']],
    ['main', '<header>no</header><main>yes</main>', ['yes']],
    ['article where there is no main', '<p>no</p><article>yes</article>', ['yes']],
    ['body where there is neither', '<title>no</title><body>yes</body>', ['yes']],
    ['a mark in a comment is none', '<!-- data-carrel-content --><main>yes</main>', ['yes']],
    ['upper case', '<MAIN>yes<H2 ID=x>Head</H2>more</MAIN>', ['yes', 'more']],
  ])('%s', (_, html, expected) => {
    expect(texts(html)).toEqual(expected);
  });
});

describe('text', () => {
  test.each([
    [
      'blocks give lines',
      '<main><p>a</p><p>b</p><ul><li>c<li>d</ul><table><tr><th>e<td>f</table>g<br>h<dl><dt>i<dd>j</dl><details><summary>k</summary>l</details></main>',
      'a\nb\nc\nd\ne\tf\ng h\ni\nj\nk\nl',
    ],
    ['inline elements give none', '<main>a<b>b</b><span>c</span></main>', 'abc'],
    ['entities are decoded', '<main>&mdash;&amp;&#x41;&nbsp;b &notit; &copy</main>', '—&A b ¬it; ©'],
    ['comments never leak', '<main>a<!-- b > " c --><!--d--!>e<!-- <p>f</p> -->g</main>', 'aeg'],
    [
      'scripts and styles are none',
      '<main>a<script>if (x < "</p>") y</script><style>b{}</style>c<template>d</template></main>',
      'ac',
    ],
    [
      'navigation, drawings and buttons are none',
      '<main>a<nav>b</nav><svg><title>c</title><text>d</text></svg><button>e</button>f</main>',
      'af',
    ],
    [
      'a formula in a sentence is its TeX, and one of its own is none',
      '<main>a <math><semantics><mrow><mi>x</mi><mn>2</mn></mrow><annotation encoding="application/x-tex">x_2</annotation></semantics></math> b<math display="block"><semantics><mi>y</mi><annotation encoding="application/x-tex">y</annotation></semantics></math></main>',
      'a x_2 b',
    ],
    [
      'skipped parts are none',
      '<main>a<div data-carrel-skip>b<p>c</p></div><span aria-hidden="true">d</span><i aria-hidden="false">e</i></main>',
      'a\ne',
    ],
    ['names that only begin alike are not', '<main><nav-menu>a</nav-menu><script-like>b</script-like></main>', 'ab'],
    ['attributes with brackets', `<main><p title="a > b" data-x='<p>'>c</p><p x=">">d</p></main>`, 'c\nd'],
    ['an unclosed skipped element ends with its parent', '<main><div>a<nav>b</div>c</main>', 'a\nc'],
    ['closing tags of nothing', '<main>a</div></i>b</main>', 'ab'],
    ['a name every object has', '<main>a<constructor>b</constructor><toString>c</toString></main>', 'abc'],
    ['a CDATA section of a drawing', '<main>a<svg><![CDATA[b]]></svg>c<![CDATA[d]]></main>', 'ac'],
  ])('%s', (_, html, expected) => {
    expect(texts(html)).toEqual([expected]);
  });
});

describe('headings', () => {
  test.each([
    ['without id they are text', '<main>a<h2>B</h2>c</main>', [['', '', 'a\nB\nc']]],
    ['with an empty id they are text', '<main>a<h2 id="">B</h2>c</main>', [['', '', 'a\nB\nc']]],
    ['data-id is no id', '<main>a<h2 data-id="x">B</h2></main>', [['', '', 'a\nB']]],
    [
      'the id of a wrapper',
      '<main>a<section id="x"><h2>B</h2>c</section></main>',
      [
        ['', '', 'a'],
        ['#x', 'B', 'c'],
      ],
    ],
    ['a wrapper with text before is none', '<main><section id="x">a<h2>B</h2>c</section></main>', [['', '', 'a\nB\nc']]],
    [
      'a wrapper serves one heading',
      '<main><section id="x"><h2>B</h2><h3>C</h3></section></main>',
      [
        ['', '', ''],
        ['#x', 'B', 'C'],
      ],
    ],
    [
      'the id of a link inside',
      '<main><h2><a name="x"></a>B</h2></main>',
      [
        ['', '', ''],
        ['#x', 'B', ''],
      ],
    ],
    [
      'links to themselves are left out',
      '<main><h2 id="x">B<a class="anchor" href="#x">#</a></h2></main>',
      [
        ['', '', ''],
        ['#x', 'B', ''],
      ],
    ],
    [
      'unless they hold the words',
      '<main><h2 id="x"><a class="header-anchor" href="#x">B</a></h2></main>',
      [
        ['', '', ''],
        ['#x', 'B', ''],
      ],
    ],
    [
      'other links stay',
      '<main><h2 id="x">B <a href="/guides/anchors">C</a></h2></main>',
      [
        ['', '', ''],
        ['#x', 'B C', ''],
      ],
    ],
    [
      'hidden signs are left out',
      '<main><h2 id="x">B<span aria-hidden="true">#</span></h2></main>',
      [
        ['', '', ''],
        ['#x', 'B', ''],
      ],
    ],
    ["a title other than the page's is text", '<main><h1>Other</h1>a</main>', [['', '', 'Other\na']]],
    [
      'later first-level headings are sections',
      '<main><h1>Title</h1>a<h1 id="x">X</h1>b</main>',
      [
        ['', '', 'a'],
        ['#x', 'X', 'b'],
      ],
    ],
    [
      'white space inside',
      '<main><h2 id="x">\n  B\n  <code>c</code>\n</h2></main>',
      [
        ['', '', ''],
        ['#x', 'B c', ''],
      ],
    ],
    [
      'ids as authors write them',
      '<main><h2 id="what’s/a&amp;b">B</h2></main>',
      [
        ['', '', ''],
        ['#what’s/a&b', 'B', ''],
      ],
    ],
    [
      'unclosed',
      '<main><h2 id="x">B<h2 id="y">C</main>',
      [
        ['', '', ''],
        ['#x', 'B', ''],
        ['#y', 'C', ''],
      ],
    ],
  ])('%s', (_, html, expected) => {
    expect(outline(html)).toEqual(expected);
  });
});
