import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

test.each([
  ['<Update>Shown</Update>\n<Note>Unclosed\n', 2, 1, '<Note> is not closed.'],
  ['Text\n\n<Note>\n\nText <b>unclosed\n</Note>\n', 5, 6, '<b> is not closed.'],
  ['Text\n{1+}\n', 2, undefined, 'what is in these braces is not a JavaScript expression.'],
  ['Text\n</Note>\n', 2, undefined, 'this closing tag has no opening tag.'],
])('invalid MDX in %j is reported with its position and in words of authors', (source, line, column, reason) => {
  expect(parseMarkdown(source, 'mdx').invalid).toMatchObject({
    ...(column !== undefined && { column }),
    kind: 'page-not-valid-mdx',
    line,
    message: `The page is shown as Markdown, because it is not valid MDX: ${reason}`,
  });
});

test.each(['md', 'mdx'] as const)('images in data: URLs do not make a page too large, in %s', async (kind) => {
  const data = `data:image/png;base64,${'iVBOR/+a'.repeat(375_000)}`;
  const renderer = await createRenderer(options);
  const { html, problems } = await renderer.render(
    page(`Some *text*.\n\n<img alt="" src="${data}" />\n\nMore\n\n![A plot](${data.slice(0, 100)})\n`, { kind }),
  );
  expect(problems).toEqual([]);
  expect(html).toContain('<em>text</em>');
  expect(html).toContain(`src="${data}"`);
  expect(html).toContain('alt="A plot"');
});
