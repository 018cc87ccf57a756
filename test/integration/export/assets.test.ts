import { expect, test } from 'vitest';
import { exported, page } from '../finished/export-files.ts';

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
