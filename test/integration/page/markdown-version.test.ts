import { expect, test } from 'vitest';
import { markdownUrls, markdownVersion } from '../../../integration/page/markdown-version.ts';
import { exampleSite } from '../export/example-site.ts';

const versionOf = (markdown: string, description?: string) =>
  markdownVersion(
    {
      path: 'guides/install',
      html: '',
      title: 'Install',
      description,
      language: 'en',
      markdown,
      searchable: true,
      inSitemap: true,
      inLlms: true,
    },
    { ...exampleSite(), hasMarkdown: () => true },
  );

test('a Markdown version has the title, the description and the text of the page', () => {
  expect(versionOf('Text.\n\n', 'About\nit.')).toBe('# Install\n\n> About it.\n\nText.\n');
});

test.each([
  ['[a](/guides/use)', '[a](use.md)'],
  ['[a](/guides/use#run "title")', '[a](use.md#run "title")'],
  ['[a](</guides/use>)', '[a](<use.md>)'],
  ['[a](/)', '[a](../index.md)'],
  ['![a](/images/logo.svg)', '![a](../images/logo.svg)'],
  ['[![a](/images/logo.svg)](/guides/use)', '[![a](../images/logo.svg)](use.md)'],
  ['[a]: /guides/use', '[a]: use.md'],
  ['<a href="/guides/use">a</a> <img src="/images/logo.svg">', '<a href="use.md">a</a> <img src="../images/logo.svg">'],
  ['![a](data:image/gif;base64,R0lGODlhAQ)', '![a](data:image/gif;base64,R0lGODlhAQ)'],
  [`![a](data:image/png;base64,${'A'.repeat(300)})`, '![a](data:image/png;base64,…)'],
  ['[a](/old/path)', '[a](use.md#there)'],
  ['[a](/moved/any/where)', '[a](install.md)'],
  ['[a](/away)', '[a](https://example.com/away)'],
  ['[a](https://example.com) [b](#here) [c](mailto:x@y.z)', '[a](https://example.com) [b](#here) [c](mailto:x@y.z)'],
  ['`[a](/guides/use)` ``[`](/x)``', '`[a](/guides/use)` ``[`](/x)``'],
  ['```md\n[a](/guides/use)\n```\n[b](/guides/use)', '```md\n[a](/guides/use)\n```\n[b](use.md)'],
  ['~~~~\n[a](/x)\n~~~\n[a](/y)\n~~~~', '~~~~\n[a](/x)\n~~~\n[a](/y)\n~~~~'],
  ['- x\n  ```\n  [a](/x)\n  ```\n- [b](/guides/use)', '- x\n  ```\n  [a](/x)\n  ```\n- [b](use.md)'],
  ['```\n[a](/x)', '```\n[a](/x)'],
  ['\\[a\\](/guides/use)', '\\[a\\](/guides/use)'],
])('%j becomes %j', (markdown, expected) => {
  expect(versionOf(markdown)).toBe(`# Install\n\n${expected}\n`);
});

test('long texts full of opening brackets take linear time', () => {
  expect(markdownUrls('`'.repeat(3001) + '[a](/x) '.repeat(1000) + '](' + '('.repeat(5000))).toHaveLength(1000);
});
