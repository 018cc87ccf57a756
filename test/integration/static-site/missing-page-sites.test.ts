import { expect, test } from 'vitest';
import { exported, page } from './export-files.ts';

test('404 pages have no Markdown, and links to them stay absolute', async () => {
  const { files, problems } = await exported({
    'index.html': page('Home <a href="/404.html">lost</a>'),
    '404.html': page('Nothing here'),
    'fr/404.html': page('Rien ici'),
    'errors/404/index.html': page('What 404 means'),
  });
  expect(problems).toEqual([]);
  expect(Object.keys(files).filter((file) => file.endsWith('.md'))).toEqual(['errors/404.md', 'index.md']);
  expect(files['index.md']).toContain('[lost](404.html)');
  expect(files['llms.txt']).toContain('errors/404.md');
});
