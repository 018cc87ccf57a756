import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { positionOfField, readFrontmatter, simpleBlock } from '../../../src/source/frontmatter.ts';

const simple = [
  'title: Hello',
  'title: "Hello: World"',
  "title: 'Hello # World'",
  'title: Hello world!   ',
  'title:',
  'title: Über uns',
  'title: 入门',
  'title: a:b c#d',
  'title: x\n\nsidebar_position: 3\nhidden: true\nnoindex: false',
  'keywords: ["a", "b c","d: e"]',
  'keywords: []',
  'og:title: x',
];

test.each(simple)('reads %j like the YAML parser', (yaml) => {
  expect(simpleBlock(yaml) ?? parse(yaml)).toEqual(parse(yaml));
});

test.each([
  'title: Hello: world',
  'title: Hello #1 fan',
  'title: true story: yes\nb: no',
  'title: "a\\"b"',
  "title: 'it''s'",
  'title: |\n  a\n  b',
  'title: a\n  b',
  'tags:\n  - a',
  'tags: [a, b]',
  'version: 1.0',
  'version: 0x1F',
  'date: 2024-01-01',
  'title: *alias',
  'title: &anchor x',
  'title: !!str x',
  'title: null',
  'title: ~',
  'title: NULL',
  'a: 1\na: 2',
  'title: a:',
  '# comment\ntitle: x',
  'title: x # comment',
  'title: x\t',
  '? a\n: b',
  '---',
  'title: @x',
  'sidebar: { order: 1 }',
  'n: 9007199254740993',
  'n: 007',
])('leaves %j to the YAML parser, or gives the same', (yaml) => {
  // Some of these are not valid YAML, so the fast path must not accept them.
  const block = simpleBlock(yaml);
  const expected: unknown = block && parse(yaml);
  expect(block).toEqual(expected);
});

test.each([
  ['a page without a block', '# Hello\n', {}, '# Hello\n', 0],
  ['a block', '---\ntitle: A\n---\nBody\n', { title: 'A' }, 'Body\n', 3],
  ['an empty block', '---\n---\nBody', {}, 'Body', 2],
  ['a block alone', '---\ntitle: A\n---', { title: 'A' }, '', 2],
  ['Windows line ends and a byte order mark', '\uFEFF---\r\ntitle: A\r\n---\r\nBody\r\n', { title: 'A' }, 'Body\n', 3],
  ['nested values', '---\nsidebar:\n  order: 2\n---\nBody', { sidebar: { order: 2 } }, 'Body', 4],
  ['a block below empty lines', '\n \n---\ntitle: A\n---\nBody\n', { title: 'A' }, 'Body\n', 5],
  ['a block below empty lines of Windows', '\uFEFF\r\n---\r\ntitle: A\r\n---\r\nBody', { title: 'A' }, 'Body', 4],
  ['a rule below empty lines', '\n---\n\nnote: text\n\n---\nText', {}, '\n---\n\nnote: text\n\n---\nText', 0],
  ['text between rules below empty lines', '\n---\nSome *text*\n---\nText', {}, '\n---\nSome *text*\n---\nText', 0],
  ['a rule that is no block', '---\nText and no end', {}, '---\nText and no end', 0],
])('splits %s', (_, text, frontmatter, body, bodyLine) => {
  expect(readFrontmatter(text, 'a.md')).toEqual({ frontmatter, body, bodyLine });
});

test('reports a broken block with its line and uses its plain lines', () => {
  const { frontmatter, body, problem } = readFrontmatter(
    '---\ntitle: A\ndescription: one: two\nhidden: true\nbad: [\n---\nBody',
    'a.mdx',
  );
  expect(frontmatter).toEqual({ title: 'A', description: 'one: two', hidden: true, bad: '[' });
  expect(body).toBe('Body');
  expect(problem).toMatchObject({ kind: 'frontmatter-not-yaml', severity: 'warning', page: 'a.mdx', line: 3 });
});

test('reports a block that is not a list of keys', () => {
  expect(readFrontmatter('---\n- a\n---\nBody', 'a.mdx').problem?.message).toContain('does not contain "key: value" lines');
});

test('survives aliases that grow without end', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[index]}`).join()}]`),
  ];
  expect(readFrontmatter(`---\n${bomb.join('\n')}\n---\n`, 'a.md').problem?.kind).toBe('frontmatter-not-yaml');
});

test('frontmatter in TOML is read as Hugo writes it, with dates as texts', () => {
  const text = '+++\ntitle = "A: b"\ndate = 2024-01-02\nweight = 3\ngroups = ["staff"]\n[params]\nx = true\n+++\n\nText\n';
  expect(readFrontmatter(text, 'a.md')).toEqual({
    frontmatter: { title: 'A: b', date: '2024-01-02', weight: 3, groups: ['staff'], params: { x: true } },
    body: '\nText\n',
    bodyLine: 8,
  });
  expect(readFrontmatter('\n\n+++\ntitle = "A"\n+++\nText', 'a.md')).toMatchObject({ frontmatter: { title: 'A' }, bodyLine: 5 });
  expect(readFrontmatter('+++\ntitle = A b\n+++\nText', 'a.md')).toMatchObject({
    frontmatter: {},
    body: 'Text',
    problem: { kind: 'frontmatter-not-yaml', line: 2, message: expect.stringContaining('is not valid TOML') },
  });
});

test.each([
  '---\ntitle: [x\ngroups:\n  - staff\n---\n',
  '---\n- groups: staff\n- {groups: staff}\n---\n',
  '\n---\ntitle: x\ngroups: [staff\n---\n',
  '---\ntitle: x\ngroups: [staff]\n...\n',
  '+++\ntitle = x y\nGroups = ["staff"]\n+++\n',
  '{ "title": "x", "groups": ["staff"] }\n\nText',
  '{\n  "title": "x",\n  "groups": ["staff"]\n}\n\nText',
])('groups of a frontmatter that cannot be read limit the page to nobody: %j', (text) => {
  expect(readFrontmatter(`${text}Text`, 'a.md').frontmatter.groups).toEqual(['groups that could not be read']);
});

test.each(['---\n\ngroups: a word\n', 'Text\n\n---\n\ngroups: x', '{/* groups of users */}\n\n# groups: x', '{x}\n\ngroups = 1'])(
  'text about groups is text: %j',
  (text) => {
    expect(readFrontmatter(text, 'a.mdx').frontmatter).toEqual({});
  },
);

test('a block below empty lines that is not valid YAML is text, which is reported with its line', () => {
  const text = '\n\n---\ntitle: [A\n---\nBody';
  expect(readFrontmatter(text, 'a.md')).toMatchObject({
    frontmatter: {},
    body: text,
    problem: { kind: 'markdown-mistake', line: 3, message: 'The frontmatter of a.md is shown as text: it is not valid YAML.' },
  });
});

test.each(['\n\n---\ntitle: A\ndescripton: x\n---\n', '\r\n\r\n---\r\ntitle: A\r\ndescripton: x\r\n---\r\n'])(
  'a field below empty lines has its line: %j',
  (text) => {
    expect(positionOfField(text, 'descripton')).toEqual({ line: 5, column: 1 });
  },
);

test.each([
  ['title: A\ndescription: "\nMulti line."\nicon: star', { title: 'A', description: 'Multi line.', icon: 'star' }],
  ["description: 'One\ntwo\n\nthree' \nicon: star", { description: 'One two three', icon: 'star' }],
  ['description: "\ntitle: A', { title: 'A' }],
  ['description: "Text\ntitle: "A"', { description: 'Text', title: 'A' }],
])('a quote that is open at the end of a line is not part of the value: %j', (yaml, frontmatter) => {
  expect(readFrontmatter(`---\n${yaml}\n---\nBody`, 'a.md')).toMatchObject({
    frontmatter,
    body: 'Body',
    problem: { kind: 'frontmatter-not-yaml' },
  });
});
