import { expect, test } from 'vitest';
import { firstParagraph } from '../../../integration/page/page-record.ts';
import { expectLinear } from '../../support/linear.ts';

test.each([
  ['```js\nconst a = 1;\n```\n\nAfter the code.', 'After the code.'],
  ['````md\n```\nIn the code.\n```\n````\n\nAfter the code.', 'After the code.'],
  ['~~~\nIn the code.\n~~~~\n\nAfter the code.', 'After the code.'],
])('the first paragraph is not in a code block: %j', (markdown, paragraph) => {
  expect(firstParagraph(markdown)).toBe(paragraph);
});

test.each(['`', '~'])('the time for a long line of %s grows with its length', (sign) => {
  expectLinear(16_000, (size) => expect(firstParagraph(`${sign.repeat(size)}\n\nend\n`)).toBeDefined());
});
