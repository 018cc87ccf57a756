import { expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

async function render(source: string, meta = '') {
  const renderer = await createRenderer(options);
  return renderer.render(page(`\`\`\`mermaid${meta}\n${source}\n\`\`\``, { kind: 'md', file: 'page.md' }));
}

test.each([
  ['a flowchart', 'graph LR\n  A[Queue] --> B(Worker)\n  B -->|fails| C{Retry?}\n  C --> A', 'Queue, Worker, fails, Retry?'],
  ['nodes without a text', 'graph TD;\n  Queue-->Worker;\n  Worker==>Done', 'Queue, Worker, Done'],
  [
    'groups, styles and links',
    'graph TD\n  subgraph one [The group]\n  a:::hot\n  end\n  style a fill:#f9f\n  click a "https://a.example"',
    'The group, a',
  ],
  [
    'a sequence',
    'sequenceDiagram\n  autonumber\n  participant A as Alice (admin)\n  A->>Bob: Hello<br/>Bob\n  Note over A,Bob: a note\n  loop every minute\n  Bob-->>A: Hi\n  end',
    'Alice (admin), Bob, Hello Bob, a note, every minute, Hi',
  ],
  ['states', 'stateDiagram-v2\n  [*] --> Still\n  Still --> Moving: push', 'Still, Moving, push'],
  ['a pie', 'pie title Pets\n  "Dogs" : 386', 'Dogs, 386'],
  [
    'settings and comments',
    '---\ntitle: The flow\n---\n%%{init: {"theme": "dark"}}%%\n%% a comment\ngraph LR\n  A --> B',
    'The flow, A, B',
  ],
])('the text of %s is what it shows', async (_, source, expected) => {
  const { html, problems } = await render(source);
  expect(/c-diagram-label[^>]*>([^<]*)</.exec(html)?.[1]).toBe(expected);
  expect(html).toContain('<pre tabindex="0" data-carrel-skip="">');
  expect(problems).toEqual([]);
});

test('the text of a large diagram is cut, in linear time', async () => {
  const nodes = Array.from({ length: 20_000 }, (_, index) => `  node${index}[Text ${index}] --> node${index + 1}`);
  const { html } = await render(`graph LR\n${nodes.join('\n')}\n${'-'.repeat(100_000)}\n${'['.repeat(100_000)}`);
  expect(/c-diagram-label[^>]*>([^<]*)</.exec(html)?.[1]).toHaveLength(301);
});

test('a diagram has its title, and one of a type that cannot be drawn is code and reported', async () => {
  const { html, problems } = await render('mindmap\n  root((Ideas))', ' title="Ideas"');
  expect(html).toContain('<figcaption>Ideas</figcaption>');
  expect(html).not.toContain('c-diagram-source');
  expect(problems).toEqual([expect.objectContaining({ kind: 'diagram-shown-as-code', severity: 'note' })]);
  expect(problems[0]!.message).toContain('"mindmap"');
});
