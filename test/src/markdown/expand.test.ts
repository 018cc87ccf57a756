import { describe, expect, test } from 'vitest';
import { parseFast, parseWithRemark } from '../../../src/markdown/parse.ts';
import type { Parser } from '../../../src/markdown/tree.ts';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page, snippet } from './fixtures.ts';

const parsers: [name: string, parser: Parser][] = [
  ['satteri', parseFast],
  ['remark', parseWithRemark],
];

async function render(body: string, parser: Parser) {
  const renderer = createRenderer({ ...options, parser });
  const { html, markdown, problems, headings } = await renderer.render(page(body, { bodyLine: 3 }));
  const text = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x3C;', '<')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#x26;', '&')
    .trim();
  return { html, text, markdown, headings, problems: problems.map(({ kind, line, column }) => `${kind} ${line}:${column}`) };
}

describe.each(parsers)('text in braces, parsed by %s', (_, parser) => {
  test.each([
    ['a path', 'Call /items/{id}/pause now.', 'Call /items/{id}/pause now.', ['4:13']],
    ['two names', 'From {start} to {end}.', 'From {start} to {end}.', ['4:6', '4:17']],
    ['a line of its own', 'One\n\n{id} {name}\n\nTwo', 'One\n{id} {name}\nTwo', ['6:1', '6:6']],
    ['a list item', '- {id}\n- more', '{id}\nmore', ['4:3']],
    ['emphasis', 'See **{id}** here.', 'See {id} here.', ['4:7']],
    ['a quantity', 'Use \\d{1,3} digits.', 'Use \\d{1,3} digits.', ['4:7']],
    ['nothing', 'An object {} is empty.', 'An object {} is empty.', ['4:11']],
    ['a template with an unknown name', 'Hi {`there ${name}`}!', 'Hi {`there ${name}`}!', ['4:4']],
    ['an unknown prop', 'Hi {props.name}!', 'Hi {props.name}!', ['4:4']],
    [
      'an object that has no text',
      'export const user = { id: 1 };\n\nOpen /users/{user} now.',
      'Open /users/{user} now.',
      ['6:13'],
    ],
    ['a call', 'There are {rooms.length + count()} rooms.', 'There are {rooms.length + count()} rooms.', ['4:11']],
    ['the content of an element', '<p>Open /items/{id}.</p>', 'Open /items/{id}.', ['4:16']],
  ])('stays verbatim when it has no value: %s', async (_name, body, text, places) => {
    const rendered = await render(body, parser);
    expect(rendered.text).toBe(text);
    expect(rendered.problems).toEqual(places.map((place) => `expression-not-evaluated ${place}`));
  });

  test.each([
    ['a comment', 'One {/* not shown */} two.', 'One  two.'],
    ['white space', 'One{" "}two.', 'One two.'],
    ['an exported value', 'export const room = "A1";\n\nIn {room}.', 'In A1.'],
    [
      'code with imports',
      'export const code = `\nimport { x } from "y";\n\nexport const z = \\`q\\`;\n`;\nexport const a = 1;\n\n{a}<pre>{code}</pre>',
      '1\n\nimport { x } from "y";\n\nexport const z = `q`;',
    ],
    ['a template', 'export const room = "A1";\n\n{`In ${room}`}', 'In A1'],
    ['a calculation', '{1 + 2} rooms', '3 rooms'],
    ['an absent value', 'One{null} two{undefined}.', 'One two.'],
    ['double braces', 'Write {{name}}.', 'Write {{name}}.'],
  ])('becomes its value: %s', async (_name, body, text) => {
    const rendered = await render(body, parser);
    expect(rendered.text).toBe(text);
    expect(rendered.problems).toEqual([]);
  });

  test('stays in headings, tables, the text of links and titles of components, and in the Markdown version', async () => {
    const body = [
      '## Pause {id}',
      '| Path |',
      '| --- |',
      '| /items/{id} |',
      '',
      '[Open {id}](https://example.com/{id})',
      '',
      '<Card title={name}>Of {owner}.</Card>',
      '',
      '![Plan](/plan.png) <img src="/a.png" alt={plan} />',
    ].join('\n');
    const { html, markdown, headings, problems } = await render(body, parser);
    expect(headings).toEqual([{ depth: 2, id: 'pause-id', text: 'Pause {id}' }]);
    expect(html).toContain('<td>/items/{id}</td>');
    expect(html).toMatch(/<a href="https:\/\/example\.com\/(?:\{id\}|%7Bid%7D)"[^>]*>Open \{id\}/);
    expect(html).toContain('{name}');
    expect(html).toContain('Of {owner}.');
    expect(html).toContain('alt="{plan}"');
    for (const written of ['## Pause {id}', '| /items/{id} |', '[Open {id}]', '{name}', 'Of {owner}.', '{plan}'])
      expect(markdown).toContain(written);
    expect(problems).toHaveLength(6);
  });

  test('becomes a code block when it is code with several lines', async () => {
    const { html, markdown } = await render('{rooms.map((room) => (\n  <li>{room}</li>\n))}', parser);
    expect(html).toContain('<pre');
    expect(html.replace(/<[^>]*>/g, '')).toContain('{rooms.map((room) =&gt; (\n  &lt;li&gt;{room}&lt;/li&gt;\n))}');
    expect(markdown).toBe('```jsx\n{rooms.map((room) => (\n  <li>{room}</li>\n))}\n```');
  });

  test('stays in a snippet that does not get the value', async () => {
    const snippets = new Map([snippet('snippets/call.mdx', 'Call /items/{id}/pause in {room}.\n')]);
    const renderer = createRenderer({ ...options, snippets, parser });
    const body = 'import Call from "/snippets/call.mdx";\n\n<Call room="A1" />';
    const { html, problems } = await renderer.render(page(body));
    expect(html).toContain('Call /items/{id}/pause in A1.');
    expect(problems).toMatchObject([{ kind: 'expression-not-evaluated', line: 3 }]);
  });

  test('is removed from a React component, where braces contain code', async () => {
    const body = 'export const Rooms = () => <p>Rooms: {list.map((room) => room.name)}</p>;\n\n<Rooms />';
    const { text, problems } = await render(body, parser);
    expect(text).toBe('Rooms:');
    expect(problems).toHaveLength(1);
  });
});

test.each(parsers)('names of object methods are not names of alerts and callouts, parsed by %s', async (_, parser) => {
  const { html } = await render('> [!constructor]\n> Text\n\n<Callout type="constructor">Text</Callout>', parser);
  expect(html).toContain('<blockquote>');
  expect(html).toContain('class="c-callout c-callout-note"');
});

describe.each(parsers)('a component that Carrel does not have, parsed by %s', (_, parser) => {
  test('shows the texts and code of its props', async () => {
    const { html } = await render(
      '<Feature name="Arrow functions" code="let f = x => x;" note="Since `v2` of it." className="wide big" />\n\nSee <Key name="Ctrl" code="0x11" note="In `v2` (of `x`)." /> here.\n',
      parser,
    );
    expect(html).toContain('<strong>Arrow functions</strong>');
    expect(html).toContain('<code>let f = x => x;</code>');
    expect(html).toContain('Since <code>v2</code> of it.');
    expect(html).not.toContain('wide big');
    expect(html).toContain('See <strong>Ctrl</strong> <code>0x11</code> In <code>v2</code> (of <code>x</code>). here.');
  });

  test('shows them when its file is missing', async () => {
    const { html, problems } = await render(
      'import Row from \'./Row.jsx\';\n\n<Row title="A title" code={`one\ntwo`} />\n',
      parser,
    );
    expect(html).toContain('A title');
    expect(html).toMatch(/one\n(?:<[^>]*>)*two/);
    expect(problems).toEqual(['snippet-missing 4:18']);
  });

  test('is a row of a table, with a cell for each', async () => {
    const { html, markdown } = await render(
      '<table>\n<thead><tr><th>Name</th><th>Code</th></tr></thead>\n<tbody>\n  <tr><td colSpan="2">Basics</td></tr>\n  <Row name="Call" code="f();" url="https://example.com/call" />\n  <tr><Cell text="Two" /><td>2</td></tr>\n</tbody>\n</table>\n',
      parser,
    );
    expect(html).toContain(
      '<tr><td><p><a href="https://example.com/call">Call</a></p></td><td><p><code>f();</code></p></td></tr>',
    );
    expect(html).toMatch(/<tr><td>(?:<p>)?<strong>Two<\/strong>(?:<\/p>)?<\/td><td>2<\/td><\/tr>/);
    expect(markdown).toContain('| [Call](https://example.com/call) | `f();` |');
  });
});

test.each(parsers)('a table of contents in the text is left out, since every page has one, parsed by %s', async (_, parser) => {
  const { text, problems } = await render('Before\n\n<TOCInline toc={toc.slice(2)} />\n\nAfter\n', parser);
  expect(text).toBe('Before\nAfter');
  expect(problems).toEqual([]);
});

test.each(parsers)('the icon of a callout in an MDX page is not shown as text, parsed by %s', async (_, parser) => {
  const { text, problems } = await render(':::tip[Good to know]{icon="heart"}\nText.\n:::\n', parser);
  expect(text).toBe('Good to knowText.');
  expect(problems).toEqual([]);
});

test.each(parsers)('values that are exported between the tags of an element are known, parsed by %s', async (_, parser) => {
  const body = "<Frame>\n\nexport const name = 'lamp.js';\n\n<Code code={`let a;`} title={name} />\n\n</Frame>\n\nA {name}\n";
  const { text, problems } = await render(body, parser);
  expect(text).toContain('lamp.js');
  expect(text).toMatch(/A lamp\.js$/);
  expect(text).not.toContain('export');
  expect(problems).toEqual([]);
});
