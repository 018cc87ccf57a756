import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/markdown/parse.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

test.each([
  ['<Update>Shown</Update>\n<Note>Unclosed\n', 2, 'Expected a closing tag for `<Note>` before the end of `paragraph`'],
  ['Text\n\n<Note>\n\nText <b>unclosed\n</Note>\n', 5, 'Expected a closing tag for `<b>` before the end of `paragraph`'],
  ['Text\n{1+}\n', 2, 'Could not parse expression with acorn'],
  ['Text\n</Note>\n', 2, 'Unexpected closing slash `/` in tag, expected an open tag first'],
])('invalid MDX in %j is reported with the line of the error and no other position', (source, line, reason) => {
  expect(parseMarkdown(source, 'mdx').invalid).toMatchObject({
    kind: 'page-not-valid-mdx',
    line,
    message: `The page is shown as Markdown, because it is not valid MDX: ${reason}`,
  });
});

test.each(['md', 'mdx'] as const)('images in data: URLs do not make a page too large, in %s', async (kind) => {
  const data = `data:image/png;base64,${'iVBOR/+a'.repeat(375_000)}`;
  const renderer = await createRenderer(options);
  const { html, problems } = await renderer.render(
    page(`Some *text*.\n\n<img src="${data}" />\n\nMore\n\n![A plot](${data.slice(0, 100)})\n`, { kind }),
  );
  expect(problems).toEqual([]);
  expect(html).toContain('<em>text</em>');
  expect(html).toContain(`src="${data}"`);
  expect(html).toContain('alt="A plot"');
});
