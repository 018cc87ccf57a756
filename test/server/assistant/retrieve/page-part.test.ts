import { describe, expect, test } from 'vitest';
import { pagePart } from '../../../../server/assistant/retrieve/page-part.ts';
import { tokensIn } from '../../../../server/assistant/retrieve/prompt-text.ts';

const table = '| Key | Meaning |\n| --- | --- |\n| `tide` | high or low |\n';
const code = '```bash\nnpm install tidewater\n\n# Not a heading\nnpm start\n```\n';
const page = ['# Install\n\nWords.\n', table, '## Npm\n\nRun it.\n', code, '## Windows\n\nRun the installer.\n'].join('\n');

/** All parts of a text, read one after the other as a model would. */
function parts(text: string, tokens: number): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const { part, end } = pagePart(text, at, tokens);
    expect(end).toBeGreaterThan(at);
    found.push(part);
    at = end;
  }
  return found;
}

describe('a part of a page', () => {
  test('is the whole page, word for word, when it fits', () => {
    expect(pagePart(page, 0, 1000)).toEqual({ part: page.trim(), end: page.length });
  });

  test('ends before a heading, which a comment in code is not', () => {
    expect(parts(page, 25)).toEqual([
      `# Install\n\nWords.\n\n${table.trim()}`,
      `## Npm\n\nRun it.\n\n${code.trim()}`,
      '## Windows\n\nRun the installer.',
    ]);
  });

  test.each([1, 2, 7, 20, 33, 60])('parts of at most %s tokens make up the page', (tokens) => {
    const all = parts(page, tokens);
    expect(all.join('').replace(/\s/g, '')).toBe(page.replace(/\s/g, ''));
    // A single character may be two tokens.
    expect(Math.max(...all.map(tokensIn))).toBeLessThanOrEqual(Math.max(tokens, 3));
  });

  test('ends within a line that is too long', () => {
    const line = '語'.repeat(10_000);
    expect(parts(line, 100).join('')).toBe(line);
  });

  test('is empty for an empty page', () => {
    expect(pagePart('', 0, 100)).toEqual({ part: '', end: 0 });
  });
});
