import { expect, test } from 'vitest';
import { exported, page } from '../static-site/export-files.ts';

test('such pictures of a page’s own styles are those of the export', async () => {
  const style = (picture: string) => `background: image-set('/docs/img/${picture}' 1x)`;
  const { files } = await exported(
    {
      'index.html': page(`<p style="${style('a.png')}">Words</p>`, { head: `<style>p { ${style('b.png')} }</style>` }),
      'img/a.png': '',
      'img/b.png': '',
    },
    {},
    { base: '/docs/' },
  );
  expect(files['index.html']).toContain("image-set('img/b.png' 1x)");
  expect(files['index.html']).toMatch(/image-set\((?:'|&#39;)img\/a\.png(?:'|&#39;) 1x\)/);
});

test('pictures to choose from, which a style sheet names by strings alone, are those of the export, or told', async () => {
  const { files, problems } = await exported(
    {
      'index.html': page('Words', { head: '<link rel="stylesheet" href="/docs/css/site.css">' }),
      'css/site.css': 'a { background: image-set("/docs/img/a.png" 1x, "/docs/img/gone.png" type("image/png") 2x) }',
      'img/a.png': '',
    },
    {},
    { base: '/docs/' },
  );
  expect(files['css/site.css']).toBe('a { background: image-set("../img/a.png" 1x, "../img/gone.png" type("image/png") 2x) }');
  expect(problems).toEqual(['asset-without-file css/site.css']);
});
