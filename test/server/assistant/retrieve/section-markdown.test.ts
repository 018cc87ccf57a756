import { describe, expect, test } from 'vitest';
import { sectionsOfMarkdown, type SectionOutline } from '../../../../server/assistant/retrieve/section-markdown.ts';
import { expectLinear } from '../../../support/linear.ts';

/** Sections by anchor ('' is the lead), headings and text. */
const sections = (...rows: [anchor: string, heading: string, text: string][]): SectionOutline[] =>
  rows.map(([anchor, heading, text]) => ({
    id: anchor === '' ? 'page' : `page#${anchor}`,
    headings: heading === '' ? [] : [heading],
    text,
    code: '',
  }));

test('each section has its Markdown: tables, lists, links and code in their place', () => {
  const markdown = `# Limits

> What the server refuses.

Words of the lead.

## Per reader

| Key | Limit |
| --- | ----: |
| \`fp\` | 60 |

- See [keys](keys.md).

\`\`\`bash
# not a heading
curl -i
\`\`\`

More words.

### Burst \`size\`

At most ten.
`;
  const outline = sections(
    ['', '', 'Words of the lead.'],
    ['per-reader', 'Per reader', 'Key Limit\nfp 60\nSee keys.\nMore words.'],
    ['burst-size', 'Burst size', 'At most ten.'],
  );
  expect(sectionsOfMarkdown(markdown, outline)).toEqual([
    'Words of the lead.',
    '| Key | Limit |\n| --- | ----: |\n| `fp` | 60 |\n\n- See [keys](keys.md).\n\n```bash\n# not a heading\ncurl -i\n```\n\nMore words.',
    'At most ten.',
  ]);
});

describe('headings are found', () => {
  test.each<[title: string, markdown: string]>([
    ['underlined', 'Options\n---\n\nWords of options.\n\nLimits\n======\n\nWords of limits.'],
    ['with an id', '## Options {#options}\n\nWords of options.\n\n## Limits {#limits}\n\nWords of limits.'],
    [
      'with an id instead of the same text',
      '## Choices {#options}\n\nWords of options.\n\n## Bounds {#limits}\n\nWords of limits.',
    ],
    ['of steps', '1. **Options**\n\n   Words of options.\n\n   ```bash\n   ls\n   ```\n\n2. **Limits**\n\n   Words of limits.'],
    ['in HTML', '<h2 id="options">Choices</h2>\n\nWords of options.\n\n<h3>Limits</h3>\n\nWords of limits.'],
    ['with marks', '## **Op**`tions`\n\nWords of options.\n\n## [Limits](limits.md) ##\n\nWords of limits.'],
    ['with an anchor in them', '## <a id="x"></a>Options\n\nWords of options.\n\n## Limits\n\nWords of limits.'],
    [
      'not in code',
      '## Options\n\nWords of options.\n\n```md\n## Limits\n```\n\n~~~\n## Limits\n~~~\n\n## Limits\n\nWords of limits.',
    ],
    ['not in comments', '## Options\n\nWords of options.\n\n<!--\n## Limits\n-->\n\n## Limits\n\nWords of limits.'],
    [
      'not in code that a list item begins with',
      '## Options\n\nWords of options.\n\n- ```\n  ## Limits\n  ```\n\n## Limits\n\nWords of limits.',
    ],
  ])('%s', (_, markdown) => {
    const outline = sections(['options', 'Options', 'Words of options.'], ['limits', 'Limits', 'Words of limits.']);
    const [options, limits] = sectionsOfMarkdown(markdown, outline);
    expect(options).toMatch(/^Words of options\./);
    expect(limits).toBe('Words of limits.');
  });

  test('several times with the same text', () => {
    const markdown = '## A\n\nFirst.\n\n### Example\n\nExample of alpha.\n\n## B\n\nSecond.\n\n### Example\n\nExample of beta.\n';
    const outline = sections(
      ['a', 'A', 'First.'],
      ['example', 'Example', 'Example of alpha.'],
      ['b', 'B', 'Second.'],
      ['example-1', 'Example', 'Example of beta.'],
    );
    expect(sectionsOfMarkdown(markdown, outline)).toEqual(['First.', 'Example of alpha.', 'Second.', 'Example of beta.']);
  });

  test('in other scripts, and of signs alone', () => {
    const markdown = '# 港\n\n## 設定\n\n潮の設定です。\n\n## 🎉\n\nParty words.\n\n## C++ & C\n\nWords of both.\n';
    const outline = sections(
      ['設定', '設定', '潮の設定です。'],
      ['party', '🎉', 'Party words.'],
      ['c', 'C++ & C', 'Words of both.'],
    );
    expect(sectionsOfMarkdown(markdown, outline)).toEqual(['潮の設定です。', 'Party words.', 'Words of both.']);
  });
});

test('the description of a page is its lead where there is no other', () => {
  const [lead] = sectionsOfMarkdown(
    '# T\n\n> All about tides.\n\n## A\n\nB.\n',
    sections(['', '', 'All about tides.'], ['a', 'A', 'B.']),
  );
  expect(lead).toBe('> All about tides.');
});

test('a heading without a section belongs to the section before it', () => {
  const outline = sections(['a', 'A', 'First.\nInside\nOf the tab.'], ['b', 'B', 'Second.']);
  expect(sectionsOfMarkdown('## A\n\nFirst.\n\n### Inside\n\nOf the tab.\n\n## B\n\nSecond.\n', outline)).toEqual([
    'First.\n\n### Inside\n\nOf the tab.',
    'Second.',
  ]);
});

test('a section that the Markdown does not have is left to its text, and its neighbors do not take its words', () => {
  const outline = sections(['a', 'A', 'First words.'], ['b', 'B', 'Second words.'], ['c', 'C', 'Third words.']);
  expect(sectionsOfMarkdown('## A\n\nFirst words.\n\n## Other\n\nElse.\n\n## C\n\nThird words.\n', outline)).toEqual([
    'First words.',
    undefined,
    'Third words.',
  ]);
});

test('Markdown with other words is not taken for the section', () => {
  const outline = sections(['', '', 'Lead of this page.'], ['a', 'A', 'Nothing here is the same as there.']);
  expect(sectionsOfMarkdown('# T\n\nElsewhere.\n\n## A\n\nQuite different content.\n', outline)).toEqual([undefined, undefined]);
});

test.each(['', '# Title\n', '```\n## A', '<!--', '#\n##\n###\n', '---\n---\n---'])(
  '%j has no Markdown of a section',
  (markdown) => {
    const found = sectionsOfMarkdown(
      markdown,
      sections(['', '', 'The words of this lead.'], ['a', 'A', 'The words of this part.']),
    );
    expect(found).toEqual([undefined, undefined]);
  },
);

test('long pages, long lines and many equal headings take linear time', () => {
  const rows = (count: number) =>
    sections(
      ...Array.from({ length: count }, (_, i): [string, string, string] => [`e-${i}`, 'Example', `Words of number ${i}.`]),
    );
  const markdown = (count: number) => Array.from({ length: count }, (_, i) => `## Example\n\nWords of number ${i}.\n`).join('\n');
  expect(sectionsOfMarkdown(markdown(5000), rows(5000)).filter((part) => part !== undefined)).toHaveLength(5000);
  for (const line of ['#', '# ', '<h2>', '> ', '- ', '`', '[', '{#', '<!--'])
    expectLinear(20_000, (length) => sectionsOfMarkdown(line.repeat(length), rows(2)));
});
