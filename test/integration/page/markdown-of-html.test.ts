import { expect, test } from 'vitest';
import { markdownOfHtml } from '../../../integration/page/markdown-of-html.ts';

test('the main content of a page becomes Markdown, without its title and the layout', () => {
  const html = `<!doctype html><html><body><nav><a href="/">Home</a></nav><main><h1>Install</h1>
    <p>Run <code>npm i</code>, then <a href="/next/">go on</a>.</p><ul><li>one</li><li>two</li></ul>
    <pre><code class="language-sh">npm i\n</code></pre><table><tr><th>a</th></tr><tr><td>1</td></tr></table></main><footer>©</footer></body></html>`;
  expect(markdownOfHtml(html)).toBe(
    'Run `npm i`, then [go on](/next/).\n\n- one\n- two\n\n```sh\nnpm i\n```\n\n| a |\n| - |\n| 1 |',
  );
});

test.each([
  ['the marked part before main', '<main>no<div data-carrel-content><div>yes</div> too</div></main>', 'yes\n\ntoo'],
  ['main before article', '<article>no</article><main>yes</main>', 'yes'],
  ['an article', '<body><header>no</header><article>yes</article></body>', 'yes'],
  ['the body when there is nothing better', '<body><p>yes</p></body>', 'yes'],
])('converts %s', (_, html, expected) => {
  expect(markdownOfHtml(html)).toBe(expected);
});

test.each(['', '<main></main>', '<html><head><title>x</title></head></html>'])('%j has no Markdown', (html) => {
  expect(markdownOfHtml(html)).toBeUndefined();
});

test('highlighted code becomes a code block in its language', () => {
  const lines =
    '<div class="ec-line"><div class="code"><span style="--0:#fff">a</span> &lt; 1</div></div><div class="ec-line"><div class="code">\n</div></div><div class="ec-line"><div class="code">b</div></div>';
  expect(markdownOfHtml(`<main><pre data-language="js"><code>${lines}</code></pre></main>`)).toBe('```js\na < 1\n\nb\n```');
  expect(markdownOfHtml('<main><pre class="language-sh"><code><span>one</span><br><span>two</span></code></pre></main>')).toBe(
    '```sh\none\ntwo\n```',
  );
});

test('the anchor link of a heading is not part of its text', () => {
  const html =
    '<main><h2>Use<a href="#use">#</a></h2><h2>Run <a href="#run">\u200b</a></h2><h2><a href="#all">All</a></h2></main>';
  expect(markdownOfHtml(html)).toBe('## Use\n\n## Run\n\n## [All](#all)');
});

test.each([
  [
    'links to panels that name them',
    '<starlight-tabs><div><ul role="tablist"><li role="presentation"><a role="tab" href="#p0" id="t0">npm</a></li><li role="presentation">' +
      '<a role="tab" href="#p1" id="t1"><svg></svg> Yarn <b>4</b></a></li></ul></div><div id="p0" aria-labelledby="t0" role="tabpanel"><p>one</p></div>' +
      '<div id="p1" aria-labelledby="t1" role="tabpanel" hidden><p>two</p></div></starlight-tabs>',
    '**npm**\n\none\n\n**Yarn 4**\n\ntwo',
  ],
  [
    'rows in the order of their panels, one within another',
    '<ul role="tablist"><li role="tab">a</li><li role="tab">b</li></ul><div role="tabpanel">1<div role="tablist"><button role="tab">x</button>' +
      '<button role="tab">y</button></div><div role="tabpanel">2</div><div role="tabpanel">3</div></div><div role="tabpanel">4</div>',
    '**a**\n\n1\n\n**x**\n\n2\n\n**y**\n\n3\n\n**b**\n\n4',
  ],
  ['a row without panels stays', '<ul role="tablist"><li><a role="tab" href="/a/">A</a></li></ul>', '- [A](/a/)'],
])('tabs become labeled parts: %s', (_, html, expected) => {
  expect(markdownOfHtml(`<main>${html}</main>`)).toBe(expected);
});
