import { describe, expect, test } from 'vitest';
import { llmsFullPage, llmsText, skillsIn } from '../../../integration/export/llms-and-sitemap.ts';
import { firstParagraph } from '../../../integration/page/page-record.ts';

describe('the first paragraph of a page', () => {
  test.each([
    ['Text here.\n\nMore.', 'Text here.'],
    ['## Heading\n\n> Quote\n\n- list\n\nText\nover lines.', 'Text over lines.'],
    ['![A](/a.png)\n\nSee [**this** `code`](/x) now.', 'See this code now.'],
    ['```js\nx\n\ny\n```\n\nAfter.', 'After.'],
    ['<div>x</div>\n\n| a |\n| - |', undefined],
    ['', undefined],
    [`${'word '.repeat(80)}`, `${'word '.repeat(59)}word…`],
  ])('%j', (markdown, expected) => {
    expect(firstParagraph(markdown)).toBe(expected);
  });
});

test('the list has the site, how to ask, then its pages', () => {
  const ask = expect.stringContaining('?ask=QUESTION') as string;
  const partsOf = (text: string) => text.split(/\n\n(?=Where|## Docs)/);
  const a = { title: 'A', href: 'a.md', description: 'First\nof all.' };
  expect(partsOf(llmsText({ name: 'The\nDocs', description: 'About\nit.' }, [a, { title: 'B', href: 'b.md' }]))).toEqual([
    '# The Docs\n\n> About it.',
    ask,
    '## Docs\n\n- [A](a.md): First of all.\n- [B](b.md)\n',
  ]);
  expect(partsOf(llmsText({ name: 'Docs' }, [a]))).toEqual(['# Docs', ask, '## Docs\n\n- [A](a.md): First of all.\n']);
});

test('a list over its limit ends at a whole entry, and counts the pages that it lacks', () => {
  const pages = Array.from({ length: 3000 }, (_, i) => ({ title: `Page ${i}`, href: `p${i}.md`, description: 'x'.repeat(100) }));
  const text = llmsText({ name: 'Docs' }, pages);
  expect(text.length).toBeLessThanOrEqual(100_000);
  expect(text.length).toBeGreaterThan(99_700);
  const listed = text.match(/^- \[Page \d+\]\(p\d+\.md\): x{100}$/gm)!.length;
  expect(text).toMatch(
    new RegExp(`\\n- \\[Page ${listed - 1}\\].*\\n\\n${3000 - listed} more pages are in llms-full\\.txt\\.\\n$`),
  );
});

test('brackets in titles do not end a link', () => {
  expect(llmsText({ name: 'D' }, [{ title: 'a[0]\nb', href: 'a.md' }])).toContain('- [a\\[0\\] b](a.md)\n');
});

test('a page in the full text contains its URL', () => {
  expect(llmsFullPage('a.md', '# A\n\nText.\n')).toBe('# A\nSource: a.md\n\nText.\n\n');
});

test('skills are listed by name and description before the pages', () => {
  const skill = (path: string, contents: string) => ({ path, contents });
  const skills = skillsIn(
    [
      skill('skill.md', '---\nname: tidewater\ndescription: >\n  Runs jobs,\n  in order.\n---\n\n# Tidewater\n'),
      skill('.well-known/agent-skills/deploy/SKILL.md', '---\nname: "deploy"\ndescription: Deploys it.\n---\nText.\n'),
      skill('.well-known/agent-skills/deploy/notes.md', 'No skill.'),
      skill('guides/skill.md', 'A page.'),
      skill('.well-known/agent-skills/bare/SKILL.md', 'Without frontmatter.'),
    ],
    (path) => `https://docs.example/${path}`,
  );
  const text = llmsText({ name: 'Docs', skills }, []);
  expect(text.slice(0, text.indexOf('Where Carrel'))).toBe(
    `# Docs

## Skills

- [tidewater](https://docs.example/skill.md): Runs jobs, in order.
- [deploy](https://docs.example/.well-known/agent-skills/deploy/SKILL.md): Deploys it.
- [.well-known/agent-skills/bare/SKILL.md](https://docs.example/.well-known/agent-skills/bare/SKILL.md)

`,
  );
  expect(text).toMatch(/\n\n## Docs\n\n$/);
});
