import { expect, test } from 'vitest';
import { exported, page } from './export-files.ts';

test('an external <base> makes the URLs of a page external, which the report lists', async () => {
  const { files, report, problems } = await exported(
    {
      'index.html': page('<a href="a/">a</a> <a href="#b">b</a> <img id="b" src="b.png">', {
        head: '<base href="https://other.example/docs/">',
      }),
      'a/index.html': page('<a href="own.html#c">c</a>', { head: '<base href="../">' }),
      'own.html': page('<p id="c"><a href="a/">a</a>', { head: '<base href="https://docs.example.com/">' }),
    },
    {},
    { site: 'https://docs.example.com' },
  );
  expect(files['index.html']).toContain('<a href="https://other.example/docs/a/">a</a> <a href="#b">b</a>');
  expect(report.egress).toMatchObject([
    { page: 'index.html', element: 'img', url: 'https://other.example/docs/b.png', outcome: 'loads' },
  ]);
  expect(problems).toEqual(['remote-load index.html']);
  expect(files['a/index.html']).toContain('<a href="../own.html#c">');
  expect(files['own.html']).toContain('<a href="a/index.html">');
});
