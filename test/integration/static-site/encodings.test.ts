import { expect, test } from 'vitest';
import { exported, page } from './export-files.ts';

test('pages in other encodings are found, rewritten and written in UTF-8', async () => {
  const shiftJis = Buffer.concat([
    Buffer.from('<html lang="ja"><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><title>'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    Buffer.from('</title></head><body><main><p>'),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    Buffer.from('</p><a href="/latin.html">a</a></main></body></html>'),
  ]);
  const latin = Buffer.from(page('<p>caf\xe9</p>').replace('utf-8', 'iso-8859-1'), 'latin1');
  const utf16 = Buffer.from(`\ufeff${page('<p>Ærø</p>')}`, 'utf16le');
  const { files, sections, problems, manifest } = await exported({
    'index.html': page('Home'),
    'ja.html': shiftJis,
    'latin.html': latin,
    'wide.html': utf16,
  });
  expect(problems).toEqual([]);
  expect(manifest.pages).toHaveLength(4);
  expect(files['ja.html']).toContain('charset=utf-8"><title>日本</title>');
  expect(files['ja.html']).toContain('<p>日本</p><a href="latin.html">');
  expect(files['latin.html']).toMatch(/<meta charset="utf-8">.*<p>café<\/p>/);
  expect(files['wide.html']).toContain('<p>Ærø</p>');
  for (const words of ['日本', 'café', 'Ærø']) expect(sections).toContain(words);
});
