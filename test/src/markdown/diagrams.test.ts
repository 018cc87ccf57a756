import { beforeAll, expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { ensureTheme } from '../../../src/setup/ensure-theme.ts';
import { loadTheme } from '../../../src/theme/load.ts';
import { options, page } from './fixtures.ts';

async function render(source: string, meta = '') {
  const renderer = createRenderer(options);
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
  expect(/c-diagram-label[^>]*>([^<]*)</.exec(html)?.[1]).toHaveLength(300);
});

const drawing = (source: string) => ['```mermaid', source, '```'].join('\n');

/** One process draws for all tests. */
let renderer: ReturnType<typeof createRenderer>;

beforeAll(async () => {
  const { drawingProgram } = await loadTheme(await ensureTheme());
  renderer = createRenderer({ ...options, drawingProgram });
});

function drawnPage(body: string, more: Partial<Parameters<typeof page>[1]> = {}) {
  return renderer.render(page(body, { kind: 'md', file: 'page.md', ...more }));
}

test('diagrams are drawn during the export, each with ids of its own, its label, and its source in the Markdown version', async () => {
  const source = 'graph LR\n  A[Queue] -->|fails| B';
  const { html, markdown, problems } = await drawnPage(`${drawing(source)}\n\n${drawing(source)}\n`);
  expect(problems).toEqual([]);
  expect(html).not.toContain('c-diagram-source');
  expect(html).not.toContain('<pre');
  expect(
    html.match(/<svg role="img" aria-label="Queue, fails, B" style="max-width:[\d.]+px;width:max\(100%,\d+px\)"/g),
  ).toHaveLength(2);
  expect(html.match(/c-diagram-label[^>]*>Queue, fails, B</g)).toHaveLength(2);
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  const used = [...html.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  expect(markdown).toContain(drawing(source));
});

test('a diagram inside a snippet and one with the options of other platforms are drawn', async () => {
  const { html, problems } = await drawnPage(
    'import Lamp from "/snippets/lamp.mdx";\n\n```mermaid placement="top-left" actions={false}\ngraph LR\n  C --> D\n```\n\n<Lamp power="3">\n\n```mermaid\npie\n  "Dogs": 1\n```\n\n</Lamp>',
    { kind: 'mdx', file: 'page.mdx' },
  );
  expect(problems.filter(({ kind }) => kind.startsWith('diagram'))).toEqual([]);
  expect(html.match(/c-diagram-drawn/g)).toHaveLength(2);
});

test.each([
  ['a component', 'mdx', '<Mermaid chart={`graph LR\nA --> B`} />'],
  ['a component with content', 'mdx', '<Mermaid>\n{`graph LR\nA --> B`}\n</Mermaid>'],
  ['a code element', 'mdx', '<CodeBlock language="mermaid">\n{`graph LR\nA --> B`}\n</CodeBlock>'],
  ['HTML', 'md', '<pre class="mermaid">\ngraph LR\nA --&gt; B\n</pre>'],
  ['HTML without escapes', 'md', '<div class="mermaid">\ngraph LR\nA --> B\n</div>'],
] as const)('a diagram written as %s is drawn', async (_, kind, body) => {
  const { html, markdown, problems } = await drawnPage(body, { kind, file: `page.${kind}` });
  expect(problems).toEqual([]);
  expect(html.match(/<svg role="img" aria-label="A, B"/g)).toHaveLength(1);
  expect(markdown.trim()).toBe(drawing('graph LR\nA --> B'));
});

test('a diagram with an error is code with the message, and reported with its line', async () => {
  const { html, problems } = await drawnPage(`Text.\n\n${drawing('graph LR\n  A[<b>x</b>] */} B')}\n`, { bodyLine: 3 });
  expect(html).toContain('<pre tabindex="0" data-carrel-skip="">');
  expect(html).toMatch(/c-diagram-fault[^>]*>The diagram cannot be drawn: Parse error on line 2: graph LR A\[x\] \*\/} B</);
  expect(html).not.toContain('c-diagram-source');
  expect(problems).toEqual([
    {
      kind: 'diagram-shown-as-code',
      severity: 'warning',
      page: 'page.md',
      line: 7,
      message: 'A Mermaid diagram is shown as source code: Parse error on line 2: graph LR A[x] */} B.',
      hint: 'Correct the diagram.',
    },
  ]);
});

test('a diagram that only a browser can draw is left to it, and reported', async () => {
  const { html, problems } = await drawnPage(drawing('eventmodeling\n\ntf 01 ui CartUI'));
  expect(html).toContain('class="c-diagram c-diagram-source" data-carrel-fault="The diagram cannot be drawn: {message}"');
  expect(problems).toEqual([expect.objectContaining({ kind: 'diagram-drawn-in-browser', severity: 'note', line: 2 })]);
});

test.each([
  ['mindmap\n  root((Ideas))', 'mindmap'],
  ['architecture-beta\n  group api(cloud)[API]', 'architecture-beta'],
  ['zenuml\n  Alice->John: Hello', 'zenuml'],
])('%j is of a type that cannot be drawn, which a warning names', async (source, type) => {
  const { problems } = await render(source);
  expect(problems).toMatchObject([{ kind: 'diagram-shown-as-code', severity: 'warning', line: 2 }]);
  expect(problems[0]!.message).toContain(`"${type}"`);
});

test.each([
  'timeline\n  title Ships\n  2002 : Ketch',
  'gitGraph\n  commit\n  branch develop\n  commit',
  'quadrantChart\n  x-axis Low --> High\n  y-axis Few --> Many\n  A: [0.3, 0.6]',
  'xychart-beta\n  x-axis [jan, feb]\n  bar [5, 6]',
])('%j is drawn', async (source) => {
  const { html, problems } = await drawnPage(drawing(source));
  expect(html).toContain('c-diagram c-diagram-drawn');
  expect(problems).toEqual([]);
});

test('a diagram has its title, and one of a type that cannot be drawn is code and reported', async () => {
  const { html, problems } = await render('mindmap\n  root((Ideas))', ' title="Ideas"');
  expect(html).toContain('<figcaption>Ideas</figcaption>');
  expect(html).not.toContain('c-diagram-source');
  expect(problems).toEqual([expect.objectContaining({ kind: 'diagram-shown-as-code', severity: 'warning', line: 2 })]);
  expect(problems[0]!.message).toContain('"mindmap"');
});
