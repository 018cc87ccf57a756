import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tokenKinds, createCodeHighlighter } from '../../../src/markdown/highlight.ts';

test('tokens get classes instead of styles, and code stays escaped', async () => {
  const highlighter = await createCodeHighlighter();
  await highlighter.load(['js']);
  expect(highlighter.highlight('const a = "<b>"; // c & d', 'js')).toBe(
    '<span class="sk-keyword">const </span><span class="sk-constant">a</span> = <span class="sk-string">&quot;&lt;b&gt;&quot;</span>; <span class="sk-comment">// c &amp; d</span>',
  );
});

test('no token crosses the end of its line', async () => {
  const highlighter = await createCodeHighlighter();
  await highlighter.load(['js']);
  const lines = highlighter.highlight('/* a\n b */\n`x\n${y}\nz`', 'js').split('\n');
  expect(lines.map((line) => line.includes('<span'))).toEqual([true, true, true, false, true]);
  for (const line of lines) {
    expect(line.match(/<span/g)?.length ?? 0).toBe(line.match(/<\/span>/g)?.length ?? 0);
  }
});

test('an unknown language is plain text', async () => {
  const highlighter = await createCodeHighlighter();
  await highlighter.load(['kusto-like', '__proto__', '']);
  expect(highlighter.highlight('<a> & b', 'kusto-like')).toBe('&lt;a&gt; &amp; b');
});

test('a block comes from the cache the second time', async () => {
  const cached = new Map<string, string>();
  const first = await createCodeHighlighter({ get: (key) => cached.get(key), set: (key, html) => void cached.set(key, html) });
  await first.load(['json']);
  const html = first.highlight('{ "a": 1 }', 'json');
  expect([...cached.values()]).toEqual([html]);
  const second = await createCodeHighlighter({ get: () => 'from the cache', set: () => {} });
  await second.load(['json']);
  expect(second.highlight('{ "a": 1 }', 'json')).toBe('from the cache');
});

test('every kind of token has its color in the stylesheet', () => {
  const css = readFileSync(new URL('../../../src/styles/code.css', import.meta.url), 'utf8');
  const kinds = Object.keys(tokenKinds).filter((kind) => kind !== 'plain');
  expect(kinds.filter((kind) => !css.includes(`.sk-${kind}`))).toEqual([]);
});
