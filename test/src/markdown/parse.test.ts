import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/markdown/parse.ts';

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
