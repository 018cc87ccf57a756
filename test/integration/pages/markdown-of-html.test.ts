import { expect, test } from 'vitest';
import { markdownOfHtml } from '../../../integration/pages/markdown-of-html.ts';

test('the main part of a page becomes Markdown, without its title and what stands around it', () => {
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
])('takes %s', (_, html, expected) => {
  expect(markdownOfHtml(html)).toBe(expected);
});

test.each(['', '<main></main>', '<html><head><title>x</title></head></html>'])('%j has no Markdown', (html) => {
  expect(markdownOfHtml(html)).toBeUndefined();
});
