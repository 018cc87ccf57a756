import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

async function render(body: string) {
  return createRenderer(options).render(page(body, { file: 'learn/lamps.md', kind: 'md' }));
}

test("components of React's documentation become their counterparts", async () => {
  const { html, problems } = await render(
    [
      '<Intro>\n\nLamps give light.\n\n</Intro>',
      '<InlineToc />',
      '<Pitfall>\n\nHot.\n\n</Pitfall>',
      '<Sandpack>\n\n```js src/App.js\nlight();\n```\n\n```css src/lamp.css\na {}\n```\n\n</Sandpack>',
      '<Hint>\n\nTurn it.\n\n</Hint>',
      '<Solution />',
      '<Illustration src="/images/lamp.png" alt="A lamp" />',
    ].join('\n\n'),
  );
  expect(problems).toEqual([]);
  expect(html).toContain('<p>Lamps give light.</p>');
  expect(html).toContain('c-callout-warning');
  expect(html).toContain('<carrel-code-group');
  expect(html).toContain('<summary class="c-expandable-summary">Hint</summary>');
  expect(html).not.toContain('Solution');
  expect(html).toContain('src="/images/lamp.png"');
});

test("recipes and challenges have React's titles and anchors", async () => {
  const { html, headings } = await render(
    '<Recipes titleText="Examples of lamps" titleId="examples-lamps">\n\n#### Red {/*red*/}\n\n</Recipes>\n\n<Challenges>\n\nTry.\n\n</Challenges>',
  );
  expect(headings).toMatchObject([{ id: 'examples-lamps', text: 'Examples of lamps' }, { id: 'red' }]);
  expect(html).toContain('<div id="challenges"><p>Try.</p>');
});
