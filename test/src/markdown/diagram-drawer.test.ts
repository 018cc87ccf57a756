import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createDiagramDrawer, type Drawing, type DrawingProgram } from '../../../src/markdown/diagram-drawer.ts';
import { ensureTheme } from '../../../src/setup/ensure-theme.ts';
import { loadTheme } from '../../../src/theme/load.ts';

let program: DrawingProgram;
let draw: ReturnType<typeof createDiagramDrawer>;

beforeAll(async () => {
  program = (await loadTheme(await ensureTheme())).drawingProgram;
  draw = createDiagramDrawer(program);
});

async function drawing(source: string, by = draw): Promise<Drawing> {
  return (await by([source])).get(source)!;
}

async function svgOf(source: string): Promise<string> {
  const drawn = await drawing(source);
  if (!('svg' in drawn)) throw new Error(drawn.fault);
  return drawn.svg;
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[ >].*?<\/text>/gs)].map(([text]) =>
    decoded(text.replace(/<[^>]*>/g, ''))
      .replace(/\s+/g, ' ')
      .trim(),
  );

test.each([
  [
    'a flowchart',
    'graph LR\n  subgraph g [The group]\n  A["Say #quot;hi#quot; (x)"] -->|fails| B{Retry?}\n  end\n  B -.-> C[("A base")]',
    ['Say "hi" (x)', 'fails', 'Retry?', 'A base', 'The group'],
  ],
  ['markup in labels', 'graph LR\n  A["<b>Queue</b><br/>in <i>Redis</i>"] --> B["List&lt;T&gt;"]', ['Queuein Redis', 'List<T>']],
  [
    'long words',
    'graph LR\n  A[philosophers-stone] --> B[http://127.0.0.1:8000/app]',
    ['philosophers-stone', 'http://127.0.0.1:8000/app'],
  ],
  [
    'a sequence',
    'sequenceDiagram\n  participant A as Alice\n  A->>Bob: call #40;x#41;\n  Note over A,Bob: Discovery\n  alt is well\n  Bob-->>A: yes\n  else is ill\n  Bob-xA: no\n  end',
    ['Alice', 'Bob', 'call (x)', 'Discovery', 'alt', '[is well]', 'yes', '[is ill]', 'no'],
  ],
  [
    'classes',
    'classDiagram\n  class Box~T~ {\n    +int size\n    +open() bool\n  }\n  Box <|-- Crate : is',
    ['Box<T>', '+int size', '+open() : bool', 'is'],
  ],
  [
    'entities',
    'erDiagram\n  USER ||--o{ ORDER : places\n  USER {\n    string name PK "the name"\n  }',
    ['USER', 'ORDER', 'places', 'string', 'name', 'PK', 'the name'],
  ],
  [
    'states',
    'stateDiagram-v2\n  [*] --> Still\n  Still --> Moving : push\n  note right of Still : a note',
    ['Still', 'Moving', 'push', 'a note'],
  ],
  [
    'a Gantt chart',
    'gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section One\n  First :a, 2024-01-01, 30d\n  Next :after a, 20d',
    ['Plan', 'One', 'First', 'Next', '2024-01-07'],
  ],
  ['a pie', 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 1', ['Pets', 'Dogs', 'Cats', '75%', '25%']],
  [
    'a Git graph',
    'gitGraph\n  commit id: "one"\n  branch dev\n  commit id: "two" tag: "v1"',
    ['main', 'dev', 'one', 'two', 'v1'],
  ],
  ['a journey', 'journey\n  title My day\n  section Work\n  Tea: 5: Me', ['My day', 'Work', 'Tea', 'Me']],
  [
    'a timeline',
    'timeline\n  title History\n  2002 : LinkedIn\n  2004 : Facebook',
    ['History', '2002', 'LinkedIn', '2004', 'Facebook'],
  ],
  ['a chart', 'xychart-beta\n  title Sales\n  x-axis [jan, feb]\n  bar [3, 5]', ['Sales', 'jan', 'feb']],
  [
    'a quadrant chart',
    'quadrantChart\n  x-axis Low --> High\n  quadrant-1 Expand\n  Campaign: [0.3, 0.6]',
    ['Low', 'High', 'Expand', 'Campaign'],
  ],
  ['requirements', 'requirementDiagram\n  requirement r {\n  id: 1\n  text: the text\n  }', ['r', 'ID: 1', 'Text: the text']],
  [
    'C4',
    'C4Context\n  title The system\n  Person(a, "Customer", "Buys")\n  System(b, "Shop")\n  Rel(a, b, "Uses")',
    ['The system', 'Customer', 'Buys', 'Shop', 'Uses'],
  ],
  ['blocks', 'block-beta\n  columns 2\n  a["One"] b["Two"]', ['One', 'Two']],
  ['a kanban board', 'kanban\n  todo[To do]\n    t1[Write it]', ['To do', 'Write it']],
  ['a flow of amounts', 'sankey-beta\n\nCoal,Power,3\nGas,Power,2', ['Coal 3', 'Gas 2', 'Power 5']],
  ['Japanese and emoji', 'graph LR\n  A[データベース] --> B["🚀 los"]', ['データベース', '🚀 los']],
])('draws %s with all of its texts', async (_, source, texts) => {
  const svg = await svgOf(source);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(texts));
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toMatch(/<(?:style|script|foreignObject|image|use|a)\b|\sclass=|\sstyle=|NaN|undefined|Infinity/);
});

test('texts fit into their boxes', async () => {
  const svg = await svgOf('graph LR\n  A[A rather long label of a node] --> B[i]');
  const [long, short] = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  // 27 characters of the theme's font at 14 px are about 190 px wide.
  expect(long).toBeGreaterThan(200);
  expect(long).toBeLessThan(290);
  expect(short).toBeLessThan(long!);
});

test('one drawing has the colors of light and dark pages', async () => {
  const flowchart = await svgOf('graph LR\n  A --> B');
  expect(flowchart).toMatch(/<rect [^>]*fill="var\(--surface\)" stroke="var\(--border-strong\)"/);
  expect(flowchart).toMatch(/fill="var\(--heading\)"/);
  // All colors are the theme's own or have a dark twin.
  for (const source of ['graph LR\n  A --> B', 'sequenceDiagram\n  A->>B: x\n  Note over A: y', 'pie\n  "a": 1\n  "b": 2']) {
    const colors = [...(await svgOf(source)).matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, color = '']) => color);
    expect(colors.length).toBeGreaterThan(2);
    expect(colors.filter((color) => !/^(?:none|transparent|var\(--[\w-]+\)|light-dark\(.+\))$/.test(color))).toEqual([]);
  }
});

test("text is readable on an author's color", async () => {
  const svg = await svgOf('graph LR\n  A[Pale] --> B[Deep] --> C[Plain]\n  style A fill:#ffd\n  style B fill:#103');
  const fillOf = (text: string) => new RegExp(`<text[^>]* fill="([^"]*)"[^>]*>(?:<tspan[^>]*>)*${text}<`).exec(svg)?.[1];
  expect(svg).toContain('fill="#ffd"');
  expect(fillOf('Pale')).toBe('#0f1217');
  expect(fillOf('Deep')).toBe('#f2f4f7');
  expect(fillOf('Plain')).toBeUndefined();
});

test('the same source gives the same bytes, in another process too', async () => {
  const sources = [
    'gantt\n  dateFormat YYYY-MM-DD\n  A :a, 2024-01-01, 3d\n  B : 3d',
    'gitGraph\n  commit\n  commit',
    'graph LR\n  A --> B',
  ];
  const others = await createDiagramDrawer(program)(sources.toReversed());
  for (const source of sources) expect(await svgOf(source)).toBe((others.get(source) as { svg: string }).svg);
});

test('a source with an error gives its message', async () => {
  expect(await drawing('graph LR\n  A */} B')).toEqual({
    fault: expect.stringContaining('Parse error on line 2'),
    isInSource: true,
  });
  expect(await drawing('nothing\n  A')).toEqual({ fault: expect.stringContaining('No diagram type detected'), isInSource: true });
  expect(await drawing('')).toEqual({ fault: expect.any(String), isInSource: true });
});

test('a diagram whose labels need HTML is left to the browser', async () => {
  expect(await drawing('eventmodeling\n\ntf 01 ui CartUI')).toEqual({ fault: 'A label of it is HTML.', isInSource: false });
});

const evil = 'https://evil.example/x';
test.each([
  ['a script in a label', 'graph LR\n  A["<script>globalThis.hostile=1</script>"] --> B["<img src=x onerror=hostile()>"]'],
  ['a link that runs', 'graph LR\n  A --> B\n  click A "javascript:alert(1)"\n  click B call alert("x")'],
  [
    'settings with styles',
    `%%{init: {"themeCSS": "* {background: url(${evil})}", "securityLevel": "loose", "htmlLabels": true, "fontFamily": "x; background: url(${evil})"}}%%\ngraph LR\n  A --> B`,
  ],
  [
    'settings that allow HTML',
    '%%{init: {"flowchart": {"htmlLabels": true}}}%%\ngraph LR\n  A["<iframe src=javascript:1></iframe>"] --> B',
  ],
  [
    'styles that load files',
    `graph LR\n  A --> B\n  style A fill:url(${evil}#a),stroke:image(${evil})\n  classDef b fill:u\\72l(${evil})\n  class B b`,
  ],
  ['images', `graph LR\n  A@{ img: "${evil}", label: "x" } --> B@{ icon: "fa:x", label: "y" }`],
  ['links of a sequence', `sequenceDiagram\n  A->>B: x\n  link A: y @ javascript:alert(1)`],
])('%s does nothing', async (_, source) => {
  const svg = await svgOf(source);
  expect(svg).not.toMatch(/\shref|\son\w+=|evil\.example|url\((?!#m\d)|@import|<(?:script|style|image|foreignObject|a)\b/);
});

test('a diagram above the size limits is a fault at once', async () => {
  const nodes = Array.from({ length: 100_000 }, (_, index) => `  n${index} --> n${index + 1}`).join('\n');
  expect(await drawing(`graph LR\n${nodes}`)).toEqual({ fault: 'It has more than 50000 characters', isInSource: true });
  const edges = Array.from({ length: 600 }, (_, index) => `  n${index} --> n${(index * 7) % 600}`).join('\n');
  expect(await drawing(`graph LR\n${edges}`)).toEqual({ fault: expect.stringMatching(/edges/i), isInSource: true });
});

test('cycles and huge labels are drawn', async () => {
  const cycle = Array.from({ length: 40 }, (_, index) => `  n${index} --> n${(index * 7 + 1) % 40}`).join('\n');
  expect(textsOf(await svgOf(`graph LR\n${cycle}\n  n1 --> n1`))).toContain('n39');
  expect(textsOf(await svgOf(`graph LR\n  A[${'word '.repeat(400)}] --> B`)).length).toBeGreaterThan(0);
});

test('a diagram that takes too long is ended, and others are drawn', async () => {
  const limits = { milliseconds: 3000, megabytes: 512, characters: 1_000_000 };
  const limited = createDiagramDrawer(program, undefined, limits);
  const endless = `graph LR\n${Array.from({ length: 6000 }, (_, index) => `a${index}`).join('\n')}`;
  expect(await drawing(endless, limited)).toEqual({ fault: 'it takes more than 3 s to draw', isInSource: true });
  // The next process may start slowly, which counts.
  limits.milliseconds = 30_000;
  expect(await drawing('graph LR\n  A --> B', limited)).toHaveProperty('svg');
});

test('a diagram that needs too much memory is ended, and after three of them none is drawn', async () => {
  const limited = createDiagramDrawer(program, undefined, { milliseconds: 30_000, megabytes: 12, characters: 1_000_000 });
  for (const label of ['B', 'C', 'D'])
    expect(await drawing(`graph LR\n  A --> ${label}`, limited)).toEqual({
      fault: 'it needs more than 12 MB to draw',
      isInSource: true,
    });
  expect(await drawing('graph LR\n  A --> B', limited)).toEqual({
    fault: '3 others were not drawn within the limits',
    isInSource: false,
  });
});

test('a drawing that is too large for a page is a fault, and others are drawn', async () => {
  const limited = createDiagramDrawer(program, undefined, { milliseconds: 30_000, megabytes: 512, characters: 10_000 });
  expect(await drawing('packet-beta\n0-2999: "x"', limited)).toEqual({
    fault: 'its drawing has more than 10000 characters',
    isInSource: true,
  });
  expect(await drawing('graph LR\n  A --> B', limited)).toHaveProperty('svg');
});

test('a stored drawing needs no process', async () => {
  const stored = new Map<string, string>();
  const cache = { get: (key: string) => stored.get(key), set: (key: string, value: string) => void stored.set(key, value) };
  const sources = ['graph LR\n  A --> B', 'graph LR\n  A */} B'];
  const drawn = await createDiagramDrawer(program, cache)(sources);
  const elsewhere = join(dirname(program.program), 'nowhere');
  const moved = { ...program, program: program.program.replace(dirname(program.program), elsewhere) };
  expect(await createDiagramDrawer(moved, cache)(sources)).toEqual(drawn);
  // What is not stored is left to the browser.
  expect(await drawing('graph LR\n  A --> C', createDiagramDrawer(moved, cache))).toEqual({
    fault: 'the program that draws ended with code 1',
    isInSource: false,
  });
});

test.runIf(process.platform === 'linux')('the states of a preview draw in one process', async () => {
  const limits = { milliseconds: 30_000, megabytes: 509, characters: 1_000_000 };
  for (const source of ['graph LR\n  First --> Second', 'graph LR\n  Third --> Fourth'])
    expect(await drawing(source, createDiagramDrawer(program, undefined, limits))).toHaveProperty('svg');
  const commands = readdirSync('/proc').map((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8');
    } catch {
      return 'no process, or one that has ended';
    }
  });
  expect(commands.filter((command) => command.includes('--max-old-space-size=509'))).toHaveLength(1);
});
