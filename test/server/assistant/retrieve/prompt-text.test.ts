import { expect, test } from 'vitest';
import { firstTokens, line } from '../../../../server/assistant/retrieve/prompt-text.ts';

test.each([
  ['a title', line(`${'a'.repeat(299)}🌊`), 'a'.repeat(299)],
  ['a text', firstTokens(`${'a'.repeat(15)}${'🌊'.repeat(9)}`, 5), `${'a'.repeat(15)}…`],
])('no character of %s in a prompt is cut in half', (_, text, expected) => {
  expect(text).toBe(expected);
});
