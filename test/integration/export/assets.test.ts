import { expect, test } from 'vitest';
import { exported, page } from '../static-site/export-files.ts';

test('image-set() in the styles of a page refers to images of the export', async () => {
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

test('images that a stylesheet names as strings in image-set() are those of the export, or reported', async () => {
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

test('missing files of a stylesheet are reported once with its name and line', async () => {
  const { report } = await exported(
    {
      'index.html': page('Words', { head: '<link rel="stylesheet" href="/docs/css/site.css">' }),
      'two/index.html': page('Words', { head: '<link rel="stylesheet" href="../css/site.css">' }),
      'css/site.css': `@import "more.css";
@import url(gone.css);
a { background: url(/docs/x.png) } b { background: url("/docs/x.png") }
i { background: url(../img/here.png?v=1#a), url('../img/No\\ne.png'), url(/elsewhere.png) }
p { mask: url(#here), url(data:image/png;base64,AAAA), url(https://a.example/x.png) } /* url(comment.png) */`,
      'css/more.css': '@font-face { src: url(font.eot?#iefix), url(here.woff2) }',
      'css/here.woff2': '',
      'img/here.png': '',
    },
    {},
    { base: '/docs/' },
  );
  const missing = report.warnings.filter(({ kind }) => kind === 'asset-without-file');
  expect(missing.map(({ severity, page, line, message }) => [severity, page, line, /"(.*)"/.exec(message)![1]])).toEqual([
    ['warning', 'css/more.css', 1, 'font.eot?#iefix'],
    ['warning', 'css/site.css', 2, 'gone.css'],
    ['warning', 'css/site.css', 3, '/docs/x.png'],
    ['warning', 'css/site.css', 4, '../img/None.png'],
    ['warning', 'css/site.css', 4, '/elsewhere.png'],
  ]);
  expect(missing[0]!.hint).toBe('Add the file css/font.eot or correct the URL.');
});
