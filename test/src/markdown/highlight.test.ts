import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { tokenKinds, createCodeHighlighter, openGrammars } from '../../../src/markdown/highlight.ts';

test('tokens get classes instead of styles, and code stays escaped', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'js' }]);
  expect(highlighter.highlight('const a = "<b>"; // c & d', 'js')).toBe(
    '<span class="sk-keyword">const </span><span class="sk-constant">a</span> = <span class="sk-string">&quot;&lt;b&gt;&quot;</span>; <span class="sk-comment">// c &amp; d</span>',
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

test('a very long line is plain text, and the lines around it are highlighted', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'json' }]);
  const lines = (length: number) => highlighter.highlight(`{\n"a": "${'x'.repeat(length)}",\n"b": true}`, 'json').split('\n');
  expect(lines(1_000)).toEqual(['{', expect.stringContaining('<span'), expect.stringContaining('<span')]);
  expect(lines(10_000)).toEqual(['{', expect.stringMatching(/^&quot;a&quot;: /), expect.stringContaining('<span')]);
});

test('only so many long lines of a block are highlighted', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'json' }]);
  const lines = highlighter
    .highlight(
      Array<string>(40)
        .fill(`"${'x'.repeat(998)}"`)
        .join('\n'),
      'json',
    )
    .split('\n');
  expect(lines.map((line) => line.includes('<span'))).toEqual([
    ...Array<boolean>(27).fill(true),
    ...Array<boolean>(13).fill(false),
  ]);
});

test('a line that takes exponential time in its grammar is highlighted in time', async () => {
  const highlighter = createCodeHighlighter();
  await highlighter.load([{ language: 'csharp' }]);
  // Takes a minute without a limit of retries.
  const [hard, easy] = highlighter.highlight(`${'<a '.repeat(600)}\nvar a = 1;`, 'csharp').split('\n');
  expect(hard).toBe('&lt;a '.repeat(600));
  expect(easy).toContain('<span');
});

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
  const highlighter = createCodeHighlighter(undefined, openGrammars());
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
  expect(highlighter.highlight(markdown, 'markdown')).toContain('<span class="sk-function">ls </span>');
  expect(highlighter.highlight(markdown, 'markdown')).toBe(await highlighted(markdown, 'markdown'));
  expect(highlighter.highlight(markdown, 'mdx')).toBe(await highlighted(markdown, 'mdx'));
  expect(highlighter.highlight(html, 'html')).toBe(await highlighted(html, 'html'));
});

test.each([
  ['python', '@a.b\nclass A(B):\n  def f(self, *, x: int = 0x1F) -> None:\n    return f"{x!r:>{w}}" if x else r"\\d+"', '# é'],
  ['bash', 'set -e\nfor f in *.md; do\n  cat <<EOF | sed "s/a/$f/" >"${o:-x}"\n$(date) ${a[@]}\nEOF\ndone', '# é'],
  ['yaml', 'a: &b\n  - "c\\n"\n  - |\n    d: $x\n  - *b\nf: [1, true, ~, 2020-01-01]', '# é'],
  ['json', '{ "a": [1.5e3, true, null, "\\u00e9\\n"], "b": { "c": -1 } }', '"é"'],
  [
    'go',
    'package main\nfunc (a *A[T]) F(x ...int) (chan<- int, error) {\n\tdefer func() { a.b <- `c` }()\n\treturn nil\n}',
    '// é',
  ],
  ['rust', "#[derive(Debug)]\nimpl<'a, T: Into<u8>> A<'a> for B { fn f(&self) -> u8 { vec![1u8, b'c'][0] } }", '// é'],
  ['java', '@A("b")\npublic final class C<T extends D> implements E {\n  private int[] f = new int[]{1, 0x2L};\n}', '// é'],
  ['toml', '[a."b"]\nc = [1, 2.5, true]\nd = """\ne\n"""\nf = 2020-01-01T00:00:00Z', '# é'],
  ['kotlin', 'data class A(val b: Int = 1) : C<D>() {\n  fun f() = when (b) { in 1..2 -> "$b ${c()}" else -> null }\n}', '// é'],
  [
    'dart',
    'class A<T> extends B {\n  final int c;\n  A({required this.c});\n  Future<String> f() async => "${c + 1}";\n}',
    '// é',
  ],
])('both engines color %s alike', async (language, code, otherLetters) => {
  const oniguruma = await highlighted(`${code}\n${otherLetters}`, language);
  expect(oniguruma.slice(0, oniguruma.lastIndexOf('\n'))).toBe(await highlighted(code, language));
  expect(oniguruma).toContain('<span');
});

test('highlights identifiers in non-Latin scripts', async () => {
  expect(await highlighted('f(곱셈=1)', 'python')).toContain('<span class="sk-property">곱셈</span>');
});

test('every kind of token has its color in the stylesheet', () => {
  const css = readFileSync(new URL('../../../src/styles/code.css', import.meta.url), 'utf8');
  const kinds = Object.keys(tokenKinds).filter((kind) => kind !== 'plain');
  expect(kinds.filter((kind) => !css.includes(`.sk-${kind}`))).toEqual([]);
});
