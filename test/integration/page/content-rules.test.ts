import { describe, expect, test } from 'vitest';
import { usualContent, usualIgnored, type ContentRules } from '../../../integration/page/content-rules.ts';
import { matcherOf } from '../../../integration/html/selector.ts';
import { readSections } from '../../../integration/page/sections.ts';

const read = (html: string, rules: Partial<ContentRules>) =>
  readSections(html, { path: 'a', title: 'Title', language: 'en' }, { select: ['body'], ignore: [], ...rules })
    .map(({ text }) => text)
    .join('|');
const usual = (html: string) => read(html, { select: usualContent, ignore: usualIgnored });

describe('selectors', () => {
  const html = `<body><div id="top" class="a b" data-x="one two" lang="en-GB"><section><p class=c>yes</p></section></div><p class="d">no</p></body>`;
  test.each([
    ['.c', 'yes'],
    ['p.c', 'yes'],
    ['#top', 'yes'],
    ['#top .c', 'yes'],
    ['.a.b', 'yes'],
    ['div > section > p', 'yes'],
    ['div > p', ''],
    ['body .c', 'yes'],
    ['[data-x]', 'yes'],
    ['[data-x="one two"]', 'yes'],
    ['[data-x~="two"]', 'yes'],
    ['[data-x^="one"] p', 'yes'],
    ['[data-x$="one"]', ''],
    ['[data-x*="e t"]', 'yes'],
    ['[data-x="ONE TWO" i]', 'yes'],
    ['[lang|="en"]', 'yes'],
    ['.d, .c', 'yes\nno'],
    ['p:not(.d)', 'yes'],
    ['p:is(.c, .x)', 'yes'],
    ['*', 'yes\nno'],
    ['P.c', 'yes'],
    ['.a .a', ''],
    ['section *', 'yes'],
  ])('%s', (selector, expected) => {
    expect(read(html, { select: [selector] })).toBe(expected);
  });

  test.each([
    ['h2 + p', '"+"'],
    ['h2 ~ p', '"~"'],
    ['div:has(p)', ':has'],
    ['p:first-child', ':first-child'],
    ['p:nth-child(2)', ':nth-child'],
    ['p::before', '::before'],
    ['svg|a', 'namespace'],
    [':not(div p)', 'more than one element'],
    ['div[', 'not valid CSS'],
    ['', 'is empty'],
  ])('%s is refused by name, with an alternative', (selector, named) => {
    expect(() => matcherOf([selector], 'ignore')).toThrow(
      expect.objectContaining({
        code: 'SelectorNotReadable',
        message: expect.stringContaining(named),
        hint: expect.stringMatching(/.{20}/),
      }),
    );
  });

  test('elements without end tags do not contain their siblings', () => {
    expect(read('<body><ul><li class="a">one<li>two</ul><p class="a">three<p>four', { select: ['.a'] })).toBe('one\nthree');
  });
});

describe('the main content', () => {
  test('the first selector that matches is used, with all of its matches', () => {
    expect(read('<body><main>b</main><div class="a">one</div>no<div class="a">two</div>', { select: ['.x', '.a', 'main'] })).toBe(
      'one\ntwo',
    );
  });

  test('a selector in the page’s text does not match', () => {
    expect(read('<body><main>docs say: class="sl-markdown-content"</main>', { select: ['.sl-markdown-content', 'main'] })).toBe(
      'docs say: class="sl-markdown-content"',
    );
  });

  test('ignored elements inside it are not read, whatever they contain', () => {
    const html = '<body><main>a<div class="promo">b<main>c</main><p>d</div>e<p class="promo">f<p>g</main>';
    expect(read(html, { select: ['main'], ignore: ['.promo'] })).toBe('a\ne\ng');
  });

  test('a page without a <body> tag has a body', () => {
    expect(usual('<title>T</title><meta name=a><h1>Title</h1><p>one<p>two')).toBe('one\ntwo');
  });
});

test.each([
  [
    'Starlight: content without anchors of headings, pagination and the link to edit',
    `<body><header>Top</header><main data-pagefind-body><h1 id="_top">Title</h1><div class="sl-markdown-content"><p>Words</p>
        <div class="sl-heading-wrapper"><h2 id="use">Use</h2><a class="sl-anchor-link" href="#use"><span class="sr-only">Section titled “Use”</span></a></div>
        <p>More</p></div><footer><a href="/edit">Edit page</a></footer></main></body>`,
    'Words|More',
  ],
  [
    'VitePress',
    `<body><div class="VPDoc"><div class="VPDocAside">outline</div><main><div class="vp-doc"><h1 id="t" tabindex="-1">Title <a class="header-anchor" href="#t">&ZeroWidthSpace;</a></h1>
        <p>Words</p><h2 id="use">Use <a class="header-anchor" href="#use">#</a></h2><div class="language-js"><button class="copy"></button><span class="lang">js</span><pre><code>x</code></pre></div></div></main>
        <footer class="VPDocFooter">Next page</footer></div></body>`,
    'Words|',
  ],
  [
    'Docusaurus',
    `<body><nav>menu</nav><main><article><nav class="theme-doc-breadcrumbs">Home</nav><div class="theme-doc-markdown markdown"><header><h1>Title</h1></header><p>Words</p>
        <h2 id="use">Use<a href="#use" class="hash-link">​</a></h2>more</div><footer class="theme-doc-footer">Edit this page</footer></article><nav class="pagination-nav">Next</nav></main></body>`,
    'Words|more',
  ],
  [
    'mdBook: links around headings are text, links to other chapters are not content',
    `<body><div id="menu-bar"><h1 class="menu-title">The Book</h1></div><div id="content"><main><h1 id="t"><a class="header" href="#t">Title</a></h1><p>Words</p>
        <h2 id="use"><a class="header" href="#use">Use</a></h2><p>more</p></main><nav class="nav-wrapper"><a rel="next" href="b.html">Next</a></nav></div></body>`,
    'Words|more',
  ],
  [
    'MkDocs',
    `<body><div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button" href="/edit">Edit</a><h1 id="t">Title<a class="headerlink" href="#t">¶</a></h1>
        <p>Words</p><h2 id="use">Use<a class="headerlink" href="#use">¶</a></h2><p>more</p></article></div><footer>Made with</footer></body>`,
    'Words|more',
  ],
  [
    'a plain page: header, footer and breadcrumbs are not content, the source of a quote is',
    `<body><header>Site</header><ol class="breadcrumbs"><li>Home</ol><h1>Title</h1><p>Words</p><blockquote>Quote<footer>Who</footer></blockquote>
        <span data-pagefind-ignore>no</span><i aria-hidden="true">no</i><button>Copy</button><footer>Imprint</footer></body>`,
    'Words\nQuote\nWho',
  ],
])('%s', (_, html, text) => {
  expect(usual(html)).toBe(text);
});

test('text of a Starlight code block for screen readers is not content, its file name is', () => {
  const block = (title: string, spoken: string) =>
    `<div class="expressive-code"><figure><figcaption class="header"><span class="title">${title}</span>${spoken}</figcaption></figure></div>`;
  const blocks = block('', '<span class="sr-only">Terminal window</span>') + block('astro.config.mjs', '');
  expect(usual(`<body><main><p>Install it.</p>${blocks}</main></body>`)).toBe('Install it.\nastro.config.mjs');
});
