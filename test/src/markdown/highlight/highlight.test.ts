import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { codeLanguages, createCodeHighlighter } from '../../../../src/markdown/highlight/highlight.ts';
import { kindsWithScopes } from '../../../../src/markdown/highlight/token-kinds.ts';

test('tokens get classes instead of styles, and code stays escaped', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'js' }]);
  expect(highlighter.highlight('const a = "<b>"; // c & d', 'js')).toBe(
    '<span class="sk-keyword">const</span> a = <span class="sk-string">&quot;&lt;b&gt;&quot;</span>; <span class="sk-comment">// c &amp; d</span>',
  );
});

test('no token crosses the end of its line', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'js' }]);
  const lines = highlighter.highlight('/* a\n b */\n`x\n${y}\nz`', 'js').split('\n');
  expect(lines.map((line) => line.includes('<span'))).toEqual([true, true, true, false, true]);
  for (const line of lines) {
    expect(line.match(/<span/g)?.length ?? 0).toBe(line.match(/<\/span>/g)?.length ?? 0);
  }
});

test('an unknown language is plain text', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'kusto-like' }, { language: '__proto__' }, { language: '' }]);
  expect(highlighter.highlight('<a> & b', 'kusto-like')).toBe('&lt;a&gt; &amp; b');
});

test.each([
  ['curl', 'curl -H "a: b" x', 'bash'],
  ['env', 'KEY="a"', 'dotenv'],
  ['golang', 'return "a"', 'go'],
  ['node', 'return "a"', 'js'],
  ['postgres', "select 'a'", 'sql'],
])('%s is highlighted, though it is not an alias of its language', async (name, code, language) => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: name }, { language }]);
  expect(highlighter.highlight(code, name)).toContain('<span class="sk-');
  expect(highlighter.highlight(code, name)).toBe(highlighter.highlight(code, language));
});

test('a slow machine highlights the same', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'js' }]);
  const html = highlighter.highlight('const a = 1;', 'js');
  expect(html).toContain('<span class="sk-keyword">');
  let now = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 60_000));
  const slow = highlighter.highlight('const a = 1;', 'js');
  clock.mockRestore();
  expect(slow).toBe(html);
});

test.each([
  ['json', 'by a stream mode', 9],
  ['hcl', 'by a grammar', 27],
])(
  'a very long line is plain text, and only so many long ones of a block in %s, read %s, have colors',
  async (language, _, most) => {
    const highlighter = createCodeHighlighter();
    await highlighter.load([{ language }]);
    const colored = (lines: string[]) =>
      highlighter
        .highlight(lines.join('\n'), language)
        .split('\n')
        .map((line) => line.includes('<span'));
    const line = (length: number) => `"${'x'.repeat(length - 2)}"`;
    expect(colored([line(100), line(10_000), line(100)])).toEqual([true, false, language === 'hcl']);
    expect(colored(Array<string>(40).fill(line(1000)))).toEqual([
      ...Array<boolean>(most).fill(true),
      ...Array<boolean>(40 - most).fill(false),
    ]);
  },
);

// Each took minutes, or the stack, with the parser alone.
test.each([
  ['c', 'a('],
  ['go', 'a('],
  ['typescript', '<%'],
  ['javascript', '('],
  ['rust', '%'],
  ['scss', '{'],
  ['html', '<a>'],
  ['html', '<script '],
  ['mdx', '<A b={'],
  ['markdown', '> '],
  ['markdown', '[a]('],
  ['markdown', '``'],
  ['markdown', '1. '],
  ['json', '['],
  ['perl', '&&'],
  ['sparql', 'a.'],
  ['cmake', '1'],
  ['puppet', '::'],
  ['elixir', '#{'],
])('200,000 characters of %s that repeat "%s" end in time, with the text as it is', async (language, part) => {
  const code = part.repeat(200_000 / part.length);
  expect(textOf(await highlighted(code, language))).toBe(code);
});

test('a surrogate without its other half stays as it is in every language', async () => {
  for (const language of codeLanguages().filter((name) => /^(?:js|python|bash|yaml|astro|markdown|ruby|sql)$/.test(name)))
    expect(textOf(await highlighted('a = "\ud800" # \udc00\n', language))).toBe('a = "\ud800" # \udc00\n');
});

/** The text that a reader sees. */
function textOf(html: string): string {
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, (sign) => signs[sign]!);
}

test('a block comes from the cache the second time', async () => {
  const cached = new Map<string, string>();
  const first = createCodeHighlighter({ get: (key) => cached.get(key), set: (key, html) => void cached.set(key, html) });
  await first.load([{ language: 'json' }]);
  const html = first.highlight('{ "a": 1 }', 'json');
  expect([...cached.values()]).toEqual([html]);
  const second = createCodeHighlighter({ get: () => 'from the cache', set: () => {} });
  await second.load([{ language: 'json' }]);
  expect(second.highlight('{ "a": 1 }', 'json')).toBe('from the cache');
});

test('a page with cached and new blocks has both highlighted, as without a cache', async () => {
  const cached = new Map<string, string>();
  const cache = { get: (key: string) => cached.get(key), set: (key: string, html: string) => void cached.set(key, html) };
  const known = { language: 'json', code: '{ "a": 1 }' };
  const added = { language: 'json', code: '{ "b": 2 }' };
  const htmlOf = async (page: (typeof known)[]) => {
    const highlighter = createCodeHighlighter(cache);
    await highlighter.load(page);
    return page.map(({ code, language }) => highlighter.highlight(code, language));
  };
  await htmlOf([known]);
  const expected = [await highlighted(known.code, 'json'), await highlighted(added.code, 'json')];
  expect(expected[1]).toContain('<span');
  expect(await htmlOf([known, added])).toEqual(expected);
  expect(await htmlOf([added, known])).toEqual(expected.toReversed());
});

/** What no other block had a part in. */
async function highlighted(code: string, language: string): Promise<string> {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language, code }]);
  return highlighter.highlight(code, language);
}

test('lines that were seen in other blocks look the same in every place', async () => {
  const blocks = [
    'a = "x"\n"""\na = "x"\n"""\na = "x"',
    '"""\na = "x"\n',
    'a = "x"\n# a = "x"\na = "x" \\\na = "x"',
    'f"""\n{a}\na = "x"\n"""\na = "x"',
  ];
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'python' }]);
  for (const block of [...blocks, ...blocks.toReversed()])
    expect(highlighter.highlight(block, 'python')).toBe(await highlighted(block, 'python'));
});

test('a block looks the same whichever languages other blocks have', async () => {
  const markdown = '---\na: 1\n---\n# A {b}\n\n```sh\nls -l\n```\n\n```ruby\nputs 1\n```\n';
  const html = '<script setup>\nconst a = 1\n</script>\n<p v-if="a">{{ a }}</p>';
  const highlighter = createCodeHighlighter();
  await highlighter.load(['vue', 'ruby', 'sh', 'yaml', 'markdown', 'mdx', 'html'].map((language) => ({ language })));
  expect(highlighter.highlight(markdown, 'markdown')).toContain('<span class="sk-function">ls</span>');
  expect(highlighter.highlight(markdown, 'markdown')).toBe(await highlighted(markdown, 'markdown'));
  expect(highlighter.highlight(markdown, 'mdx')).toBe(await highlighted(markdown, 'mdx'));
  expect(highlighter.highlight(html, 'html')).toBe(await highlighted(html, 'html'));
});

test.each([
  [
    'vue',
    '<script setup lang="ts">\nconst a: A = 1\n</script>\n<p v-if="b(1)">{{ c(2) }}</p>',
    ['type A', 'function b', 'function c'],
  ],
  ['svelte', '<script>\nlet a = 1\n</script>\n<p class={b(1)}>{#if c(2)}x{/if}</p>', ['keyword let', 'function b', 'function c']],
  [
    'astro',
    '---\nimport A from "b"\n---\n<A c={d(1)}>\n  {e.map((f) => <b>{f}</b>)}\n</A>',
    ['keyword import', 'function d', 'tag b', 'tag A'],
  ],
  [
    'mdx',
    'import A from "b"\n\n# C\n\n<D\n  e={f(1)}\n>\ntext</D>\n\n```js\nlet g\n```',
    ['keyword import', 'heading # C', 'tag D', 'attribute e', 'function f', 'keyword let'],
  ],
  ['php', '<p>\n<?php\n$a = new B();\n?>\n', ['tag p', 'variable $a', 'type B']],
  ['erb', '<a href="<%= url(1) %>">b</a>', ['tag a', 'function url']],
  ['http', 'POST /a\nB: c {d}\n\n{ "d": 1 }', ['keyword POST', 'property B:', 'string c {d}', 'property &quot;d&quot;']],
  ['tsx', '<A b={c}>Dear</A>; a = { e() {} }', ['tag A', 'attribute b', 'function e']],
  ['ruby', 'class A::B\n  def c\n    d.e\n', ['type A::B', 'function c', 'function e']],
  ['swift', 'a.b(c: 1).d', ['function .b', 'property c', 'property .d']],
  ['csharp', 'new A.Bee { Cee = d.Eff<G>(1) }', ['type Bee', 'property Cee', 'function Eff']],
  ['kotlin', 'class Aa(b: Cc)\nd.set { 1 }', ['type Aa', 'type Cc', 'function set']],
  [
    'powershell',
    '[CmdletBinding()]\n$a = [System.Uri]::new($true)\nGet-Item -Path b\n$c[d].E(f)\nfunction g {}',
    [
      'type CmdletBinding',
      'variable $a',
      'type Uri',
      'function new',
      'constant $true',
      'function Get-Item',
      'variable $c',
      'function E',
      'keyword function',
      'function g',
    ],
  ],
  ['sql', 'SELECT id, date FROM "a/b" WHERE `c.d` = e(1)', ['string &quot;a/b&quot;', 'string `c.d`', 'function e']],
  ['rust', '#[derive(A)]\nstruct Bee;', ['attribute #[derive(A)]', 'type Bee']],
  ['css', '@layer a; b { c: var(--d) }', ['function var', 'property c']],
  ['jinja', '<p>{% if a %}b{% endif %}</p>', ['tag p', 'keyword if']],
  ['bash', 'FOO=1 npm run -w a "$B" && cd c # d', ['function npm', 'property -w', 'variable $B', 'function cd', 'comment # d']],
  ['yaml', 'a: b@1/c\nd: [1, true]', ['property a', 'string b@1/c', 'constant 1', 'constant true']],
])('in %s, what is in it is colored, too', async (language, code, expected) => {
  const html = await highlighted(code, language);
  const tokens = [...html.matchAll(/<span class="sk-(\w+)">(.*?)<\/span>/g)].map(([, kind, text]) => `${kind} ${text}`);
  expect(
    expected.filter((token) => !tokens.includes(token)),
    html,
  ).toEqual([]);
  expect(textOf(html)).toBe(code);
});

test('highlights identifiers in non-Latin scripts', async () => {
  expect(await highlighted('f(곱셈=1)', 'python')).toContain('<span class="sk-property">곱셈</span>');
});

test('every kind of token has its color in the stylesheet', () => {
  const css = readFileSync(new URL('../../../../src/styles/code.css', import.meta.url), 'utf8');
  const kinds = kindsWithScopes.flatMap(([kind]) => (kind === 'plain' ? [] : [kind]));
  expect(kinds.filter((kind) => !css.includes(`.sk-${kind}`))).toEqual([]);
});
