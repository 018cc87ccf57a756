import { describe, expect, test } from 'vitest';
import { createRenderer } from '../../../../src/markdown/render.ts';
import type { DialectPage } from '../../../../src/source/dialects/page-files.ts';
import { translateDialects } from '../../../../src/source/dialects/translate.ts';
import { bodyFacts } from '../../../../src/source/read-texts.ts';
import { expectLinear } from '../../../support/linear.ts';
import { options, page } from '../../markdown/fixtures.ts';

/** What a reader sees of a page with these files beside it: text in HTML, and the Markdown version. */
async function show(body: string, files: Record<string, string> = {}, more: Partial<DialectPage> = {}) {
  const translated = translate(body, files, more);
  const renderer = createRenderer(options);
  const source = page(translated.body, { file: 'page.md', kind: 'md', ...bodyFacts(translated.body) });
  const { html, markdown, problems } = await renderer.render(source);
  return { ...translated, html, markdown, problems };
}

function translate(body: string, files: Record<string, string> = {}, more: Partial<DialectPage> = {}) {
  return translateDialects(body, {
    file: 'page.md',
    kind: 'md',
    frontmatter: {},
    read(path) {
      if (path.startsWith('..')) return { refused: 'outside' };
      const name = path.replace(/^(?:@|\.)?\//, '');
      return Object.hasOwn(files, name) ? { file: name, body: files[name]! } : { refused: 'missing' };
    },
    ...more,
  });
}

const jekyll = { '_config.yml': 'title: Docs\n' };

test.each([
  ['first on the page', '| a | `b` |\n| c | d |\n', 2],
  ['after a blank line', 'Text.\n\n| a | `b` |\n| c | d |\n\nText.', 4],
  ['in a list', '- Item\n\n  | a | `b` |\n  | c | d |\n', 4],
])('a table of Jekyll without a row of titles is a table: %s', async (_, body, line) => {
  const { html, problems, lines } = await show(body, jekyll);
  expect(html).toContain('<tbody><tr><td>a</td><td><code>b</code></td></tr><tr><td>c</td><td>d</td></tr></tbody>');
  expect(html).not.toContain('<thead>');
  expect(problems).toEqual([]);
  expect(lines?.[line + 1]).toBe(line);
});

test.each([
  ['| a | b |\n| --- | --- |\n| c | d |\n| e | f |', jekyll],
  ['| --- | --- |\n| c | d |', jekyll],
  ['```\n\n| a | b |\n| c | d |\n```', jekyll],
  ['\n| a | b |\n| c | d |', {}],
])('other rows stay as they are: %j', (body, files) => {
  expect(translate(body, files).body).toBe(body);
});

const callouts = [
  ['Hugo', '{{< note >}}\nSome *text*.\n{{< /note >}}'],
  ['Hugo, in one line', '{{% note %}}Some *text*.{{% /note %}}'],
  ['Docsy', '{{% alert color="note" %}}\nSome *text*.\n{{% /alert %}}'],
  ['MkDocs, without a title', '!!! note ""\n    Some *text*.'],
  ['PyMdown, in capitals', '/// Note |\nSome *text*.\n///'],
  ['Starlight with an icon', ':::note{icon="heart"}\nSome *text*.\n:::'],
  ['MkDocs with tabs', '!!! note ""\n\n\tSome *text*.\n'],
  ['PyMdown, without a title', '/// note |\nSome *text*.\n///'],
  ['GitBook', '{% hint style="note" %}\nSome *text*.\n{% endhint %}'],
  ['GitHub Docs', '{% note %}\n\nSome *text*.\n\n{% endnote %}'],
  ['Just the Docs', '{: .note }\nSome *text*.\n'],
  ['Just the Docs, as a quote', '{: .note }\n> Some *text*.\n'],
  ['MyST', '```{note}\nSome *text*.\n```'],
  ['MyST with colons', ':::{note}\nSome *text*.\n:::'],
  ['Docusaurus', ':::note\n\nSome *text*.\n\n:::'],
  ['VitePress', '::: note\nSome *text*.\n:::'],
] as const;

test.each(callouts)('a callout of %s is a callout', async (_, body) => {
  const { html, markdown, issues } = await show(body);
  expect(html.replace(/<svg.*?<\/svg>/g, '')).toBe(
    '<div class="c-callout c-callout-note" role="note"><span class="c-callout-icon"></span><div class="c-callout-body"><p>Some <em>text</em>.</p></div></div>',
  );
  expect(markdown).toBe('> **Note:** Some *text*.');
  expect(issues).toEqual([]);
});

test.each([[':::note\nSome *text*. :::\n\nafter'], [':::note\n\nSome *text*.:::\nafter'], ['::: note Some *text*. :::\nafter']])(
  'the closing fence of a callout can be at the end of its text: %j',
  async (body) => {
    const { html, markdown } = await show(body);
    expect(html).toMatch(/role="note">.*<p>Some <em>text<\/em>\.<\/p><\/div><\/div>\s*<p>after<\/p>$/s);
    expect(markdown).toBe('> **Note:** Some *text*.\n\nafter');
  },
);

test('attributes after a list item do not end the list', async () => {
  const { html } = await show('* One\n{#one}\n\n    === "Tab"\n\n        Text.\n');
  expect(html).toMatch(/<li>.*One.*<carrel-tabs.*Text\..*<\/li>/s);
  expect(html).not.toContain('===');
});

test.each([['Use `:::note` to open it and `:::` to close it :::'], ['```\n:::note\ntext :::\n```']])(
  'three colons outside a callout stay: %j',
  async (body) => expect((await show(body)).body).toBe(body),
);

test.each([
  ['{{< alert title="Take care" color="warning" >}}\nText.\n{{< /alert >}}'],
  ['{{% notice warning "Take care" %}}\nText.\n{{% /notice %}}'],
  ['!!! warning "Take care"\n    Text.'],
  ['/// warning | Take care\nText.\n///'],
  [':::warning[Take care]\nText.\n:::'],
  [':::warning Take care\nText.\n:::'],
  ['{: .warning-title }\n> Take care\n>\n> Text.'],
  ['```{admonition} Take care\n:class: warning\nText.\n```'],
])('%s has its kind and title', async (body) => {
  const { markdown, html } = await show(body);
  expect(html).toContain('c-callout-warning');
  expect(markdown).toBe('> **Take care**\n>\n> Text.');
});

test('a callout of a kind that we do not have has that kind as its title', async () => {
  expect((await show('!!! warning\n    Text.')).markdown).toBe('> **Warning**\n>\n> Text.');
  expect((await show('!!! note inline end\n    Text.')).markdown).toBe('> **Note**\n>\n> Text.');
  expect((await show('!!! example ""\n    Text.')).markdown).toBe('> **Note:** Text.'.replace('Note', 'Info'));
  expect((await show('/// warning\nText.\n///')).markdown).toBe('> **Warning**\n>\n> Text.');
  expect((await show('!!! abstract\n    Text.')).markdown).toBe('> **Abstract**\n>\n> Text.');
});

test.each([
  [
    '{{< tabs name="t" >}}\n{{% tab name="One" %}}\nFirst.\n{{% /tab %}}\n{{% tab name="Two" %}}\nSecond.\n{{% /tab %}}\n{{< /tabs >}}',
  ],
  ['{{< tabs items="One,Two" >}}\n{{< tab >}}First.{{< /tab >}}\n{{< tab >}}Second.{{< /tab >}}\n{{< /tabs >}}'],
  ['=== "One"\n\n    First.\n\n=== "Two"\n\n    Second.\n'],
  ['/// tab | One\nFirst.\n///\n\n/// tab | Two\nSecond.\n///'],
  ['{% tabs %}\n{% tab title="One" %}\nFirst.\n{% endtab %}\n\n{% tab title="Two" %}\nSecond.\n{% endtab %}\n{% endtabs %}'],
  ['````{tab-set}\n```{tab-item} One\nFirst.\n```\n```{tab-item} Two\nSecond.\n```\n````'],
])('%s has two tabs', async (body) => {
  const { html, markdown } = await show(`${body}\n\nAfter.`);
  expect(html.match(/data-carrel-title="[^"]*"/g)).toEqual(['data-carrel-title="One"', 'data-carrel-title="Two"']);
  expect(html.match(/<carrel-tabs/g)).toHaveLength(1);
  expect(html).toMatch(/<\/carrel-tabs>\s*<p>After\.<\/p>$/);
  expect(markdown).toContain('First.');
  expect(markdown).not.toMatch(/[{%=/]/);
});

test.each([
  ['Hugo', '{{< highlight go >}}\nfunc main() { {{< x >}} }\n{{< /highlight >}}', 'func main() { {{&lt; x &gt;}} }'],
  ['Jekyll', '{% highlight ruby linenos %}\nputs "{{ page.x }}"\n{% endhighlight %}', '{{ page.x }}'],
  ['Jekyll, in a fence', '```js{% raw %}\nputs\n{% endraw %}```\n', 'puts</code>'],
  ['Docsy', '{{< tabpane >}}\n{{< tab header="A" lang="sh" >}}\necho *\n{{< /tab >}}\n{{< /tabpane >}}', 'echo *'],
])('code of %s is code', async (_, body, code) => {
  const { html } = await show(body);
  expect(html.replace(/<\/?span[^>]*>/g, '')).toContain(code);
  expect(html).toContain('<pre');
});

test('GitBook gives a code block its title', async () => {
  const { html } = await show('{% code title="a.js" lineNumbers="true" %}\n```js\na();\n```\n{% endcode %}');
  expect(html).toContain('<figcaption class="c-code-title">a.js</figcaption>');
});

test.each([
  ['{{< figure src="/a.png" alt="A" caption="Some *words*" >}}', /<figcaption[^>]*>Some <em>words<\/em><\/figcaption>/],
  ['```{figure} /a.png\n:alt: A\n\nSome *words*\n```', /<p>Some <em>words<\/em><\/p>/],
])('%s is a figure', async (body, caption) => {
  const { html } = await show(body);
  expect(html).toMatch(/<img[^>]* src="\/a\.png"/);
  expect(html).toMatch(/<figure/);
  expect(html).toMatch(caption);
});

test('DocFX tabs are tabs, and end at a rule', async () => {
  const { html } = await show('## [One](#tab/a)\n\nFirst.\n\n## [Two](#tab/b)\n\nSecond.\n\n***\n\nAfter.');
  expect(html.match(/data-carrel-title="[^"]*"/g)).toEqual(['data-carrel-title="One"', 'data-carrel-title="Two"']);
  expect(html).toMatch(/<\/carrel-tabs>\s*<p>After\.<\/p>$/);
});

test('a definition list is one, with an id for each term', async () => {
  const body =
    'Before.\n\n`one`\n: The *first*.\nMore.\n\n    ```js\n    a()\n    ```\n\nTwo\nThree\n:   Both.\n\n:   Again.\n\nAfter: this.';
  const { html, markdown } = await show(body);
  expect(html.replace(/<figure.*<\/figure>/s, '[code]').replace(/\n/g, '')).toBe(
    '<p>Before.</p><dl><dt id="one"><code>one</code></dt><dd><p>The <em>first</em>.More.</p>[code]</dd><dt id="two">Two</dt><dt id="three">Three</dt>' +
      '<dd><p>Both.</p></dd><dd><p>Again.</p></dd></dl><p>After: this.</p>',
  );
  expect(markdown).toContain('`one`\n\nThe *first*.\nMore.\n\n```js\na()\n```');
});

test.each([': no term', '- item\n: not a definition', '| a |\n|---|\n: x', '```\na\n: b\n```', '# Title\n: x', '> a\n: b'])(
  '%s is no definition list',
  async (body) => {
    expect((await show(body)).html).not.toContain('<dl>');
  },
);

describe('settings', () => {
  const files = { '_config.yml': 'repository: https://a.example/r\nname: Docs\n' };

  test('of Jekyll are in text and in URLs', async () => {
    const { html, included } = await show('[#1]({{ site.repository }}/issues/1) of {{ site.name }}, {{ site.other }}', files);
    expect(html).toBe('<p><a href="https://a.example/r/issues/1">#1</a> of Docs, site.other</p>');
    expect([...included.keys()]).toEqual(['_config.yml']);
  });

  test("of Hugo's sections are parameters of their pages, those of the nearest section first", async () => {
    const read: DialectPage['read'] = (path) =>
      path === '/docs/v2/_index.md' || path === '/docs/_index.md'
        ? {
            file: path,
            body: '',
            frontmatter: { cascade: path === '/docs/_index.md' ? { tag: 'v1', other: 'o' } : { params: { tag: 'v2' } } },
          }
        : { refused: 'missing' };
    const { html, issues } = await show('{{< param tag >}} {{< param other >}}', {}, { file: 'docs/v2/a.md', read });
    expect(html).toBe('<p>v2 o</p>');
    expect(issues).toEqual([]);
  });

  test('of Hugo can be within others', async () => {
    const frontmatter = { params: { notes: { docker: 'Use v2.' } }, vers: { sdk: 1.2 } };
    const { html, issues } = await show(
      '{{% param notes.docker %}} {{% param vers.sdk %}} {{% param vers.toString %}}',
      {},
      { frontmatter },
    );
    expect(html).toBe('<p>Use v2. 1.2 vers.toString</p>');
    expect(issues).toMatchObject([{ what: '{{< param >}}' }]);
  });
});

test.each([
  ['{{< new-in 0.1.0 />}} of it', 'New in 0.1.0 of it'],
  ['{{< deprecated-in 0.2.0 >}}', 'Deprecated in 0.2.0'],
])('%s names the version', async (body, expected) => {
  const { html, issues } = await show(body);
  expect(html.replace(/<[^>]*>/g, '')).toBe(expected);
  expect(issues).toEqual([]);
});

test('icons of Material are icons in text, and left out of titles', async () => {
  const { html, issues } = await show(
    ':material-close: no [:octicons-arrow-right-24: Go](/a)\n\n=== ":material-check: Tab"\n\n    x\n\n## :simple-git: Title',
  );
  expect(html.match(/<svg/g)).toHaveLength(2);
  expect(html.replace(/<svg.*?<\/svg>/gs, '[icon]')).toContain('<p>[icon] no <a href="/a">[icon] Go</a></p>');
  expect(html).toContain('data-carrel-title="Tab"');
  expect(html).toMatch(/<h2[^>]*>Title</);
  expect(issues).toEqual([]);
});

test('slots of Vue show their content', async () => {
  const { html } = await show(
    '<VPTeamPage>\n  <template #lead>\n    Those who *help*.\n  </template>\n</VPTeamPage>\n\n<template v-if="a">Text.</template>',
  );
  expect(html).toContain('Those who');
  expect(html).toContain('Text.');
});

describe('inside lines', () => {
  test.each([
    ['Press ++ctrl+shift+p++.', 'Press <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>P</kbd>.'],
    ['[Go](https://a.example){: .btn target="_blank" } now', '<a href="https://a.example">Go</a> now'],
    ['See [it]({{< ref "other.md" >}}).', 'See <a href="/other">it</a>.'],
    ['See [it]({{ site.baseurl }}{% link other.md %}).', 'See <a href="/other">it</a>.'],
    ['A {{< glossary_tooltip text="pod" term_id="x" >}}.', 'A pod.'],
    ['Version {{ page.version }} of {{ site.name }}.', 'Version 7 of site.name.'],
    ['Use {py:class}`~a.B` and {ref}`this <there>`.', 'Use <code>a.B</code> and this.'],
    ['C++ and D++, a == b == c, x ^^ y', 'C++ and D++, a == b == c, x ^^ y'],
    ['See <xref:A.B.C`1.D*?displayProperty=nameWithType> or <xref:A.B%601>.', 'See <code>C.D</code> or <code>B</code>.'],
    ['That ==matters==.', 'That <mark>matters</mark>.'],
    ['{% if x %}Always.{% endif %}', 'Always.'],
    ['Write `{{< note >}}` or `!!! note`.', 'Write <code>{{&#x3C; note >}}</code> or <code>!!! note</code>.'],
    ['Vue shows {{ name }}.', 'Vue shows {{ name }}.'],
    ['Write {{</* note */>}}.', 'Write {{&#x3C; note >}}.'],
  ])('%s', async (body, html) => {
    expect((await show(body, {}, { frontmatter: { version: 7 } })).html).toBe(`<p>${html}</p>`);
  });
});

describe('a heading', () => {
  test.each([
    ['## {{% heading "whatsnext" %}}', "What's next"],
    ['## Use {{< param "version" >}}', 'Use version'],
    ['## {{< note >}}Short{{< /note >}}', 'Short'],
    ['## Title {: #own .big }', 'Title'],
    ['## Title\n{: .no_toc #own }', 'Title'],
    ['## Title { #own }', 'Title'],
    ['## Title { #+own.part }', 'Title'],
    ['## Title { id=own }', 'Title'],
  ])('%s is plain', async (body, text) => {
    const renderer = createRenderer(options);
    const { headings } = await renderer.render(page(translate(body).body, { kind: 'md', file: 'page.md' }));
    expect(headings.map((heading) => heading.text.replaceAll('’', "'"))).toEqual([text]);
    expect(headings[0]?.id === 'own').toBe(/#own|=own/.test(body));
  });

  test('can be the title', () => {
    expect(bodyFacts(translate('# {{% heading "prerequisites" %}}').body).heading?.text).toBe('Before you begin');
  });
});

describe('code', () => {
  const samples = [
    '{{< note >}}\ntext\n{{< /note >}}',
    '!!! note\n    text',
    '=== "Tab"\n    text',
    '{% hint %}\ntext\n{% endhint %}',
    '--8<-- "missing.md"',
    '[TOC]',
    '{: .class }',
    '++ctrl+c++',
    '<<< @/a.ts',
    '/// note\ntext\n///',
  ];
  test.each(samples)('in a fence keeps %s', (sample) => {
    for (const body of [
      `\`\`\`md\n${sample}\n\`\`\``,
      `~~~\n${sample}\n~~~`,
      `- a\n\n  \`\`\`\n  ${sample.replaceAll('\n', '\n  ')}\n  \`\`\``,
    ])
      expect(translate(body)).toEqual({ body, issues: [], included: new Map() });
  });

  test.each(samples)('that is indented keeps %s', (sample) => {
    const body = `Text:\n\n    ${sample.replaceAll('\n', '\n    ')}\n`;
    expect(translate(body).body).toBe(body);
  });
});

test('tags that Hugo shows in code are shown without their comment', () => {
  const { body, lines } = translate('```\n{{%/* note\n  a="b"\n*/%}}\n```\n\n`{{</* x */>}}`');
  expect({ body, lines }).toEqual({ body: '```\n{{% note\n  a="b"\n%}}\n```\n\n`{{< x >}}`', lines: undefined });
});

test('a quotation of DocFX can have several alerts', async () => {
  const { html } = await show('> [!NOTE]\n> a\n>\n> [!TIP]\n> b\n');
  expect(html.match(/c-callout-(?:note|tip)"/g)).toEqual(['c-callout-note"', 'c-callout-tip"']);
});

test('GitBook entries of a changelog have their date', async () => {
  const { html } = await show(
    '{% updates %}\n{% update date="2026-01-02" %}\n## News\n\nText.\n{% endupdate %}\n{% endupdates %}',
  );
  expect(html).toContain('<section class="c-update" id="2026-01-02">');
});

test('blocks within lists and other blocks stay there', async () => {
  const { html } = await show(
    '1. One\n\n    !!! note\n        In one.\n\n        === "Tab"\n\n            Deep.\n\n    Still one.\n\n2. Two\n',
  );
  expect(html.match(/<ol>/g)).toHaveLength(1);
  expect(html).toMatch(/c-callout-note.*In one\..*<carrel-tabs.*Deep\..*<\/carrel-tabs>.*Still one\..*Two/s);
  expect(html).not.toContain('<pre');
});

test('an element with the attribute markdown contains Markdown', async () => {
  const { html } = await show('<div class="x" markdown="1">\n**Bold**\n</div>\n```sh\nls\n```');
  expect(html).toContain('<strong>Bold</strong>');
  expect(html).toContain('<pre');
});

test('a table of contents of the author is removed, because every page has one', async () => {
  for (const body of ['[TOC]', '[[toc]]', '[[_TOC_]]', '* TOC\n{:toc}'])
    expect((await show(`${body}\n\nText.`)).html).toBe('<p>Text.</p>');
});

describe('an include', () => {
  test.each([
    ['--8<-- "part.md"'],
    ['--8<--\npart.md\n--8<--'],
    ['<!--@include: ./part.md-->'],
    ['{{#include part.md}}'],
    ['{!part.md!}'],
    ['[!INCLUDE [part](part.md)]'],
    ['{% include part.md %}'],
    ['{% include_relative part.md %}'],
    ['{{< include "part.md" >}}'],
    ['{{% readfile file="part.md" %}}'],
    ['```{include} part.md\n```'],
  ])('%s shows the text of the file', async (body) => {
    const { html, included, issues } = await show(`Before.\n\n${body}\n\nAfter.`, { 'part.md': 'A *part*.\n' });
    expect(html.replace(/\s*\n\s*/g, '')).toBe('<p>Before.</p><p>A <em>part</em>.</p><p>After.</p>');
    expect([...included.keys()]).toEqual(['part.md']);
    expect(issues).toEqual([]);
  });

  test.each([['{% include "../.gitbook/includes/part.md" %}'], ['[!INCLUDE [part](../.gitbook/includes/part.md)]']])(
    '%s shows links and images that begin at the file, not at the page',
    async (body) => {
      const part = [
        '[Start](../../guides/start.md#here), ![A](<../assets/a b.png>), [next](other.md "Next") and [again][id].',
        '',
        '[id]: ../../guides/again.md',
        '',
        '<a href="../../guides/html.md">x</a> <img src="../assets/b.png">',
        '',
        '[web](https://example.com/a.md), [top](/top.md), [part](#part), `[code](../../guides/code.md)`',
        '',
        '```md',
        '[fence](../../guides/fence.md)',
        '```',
      ].join('\n');
      const read = (path: string, from: string) => {
        expect([path, from]).toEqual(['../.gitbook/includes/part.md', 'guides/page.md']);
        return { file: '.gitbook/includes/part.md', body: part };
      };
      const shown = translate(`Before.\n\n${body}`, {}, { file: 'guides/page.md', read }).body.trim().split('\n');
      expect(shown.slice(shown.findIndex((line) => line.startsWith('[Start]')))).toEqual([
        '[Start](start.md#here), ![A](<../.gitbook/assets/a b.png>), [next](../.gitbook/includes/other.md "Next") and [again][id].',
        '',
        '[id]: again.md',
        '',
        '<a href="html.md">x</a> <img src="../.gitbook/assets/b.png">',
        '',
        ...part.split('\n').slice(6),
      ]);
    },
  );

  test('of code is code, also in a fence', async () => {
    const files = { 'a.ts': 'before();\n// #region main\nmain();\n// #endregion main\n' };
    expect((await show('<<< @/a.ts#main', files)).markdown).toBe('```ts\nmain();\n```');
    expect((await show('```ts\n--8<-- "a.ts:3:3"\n```', files)).markdown).toBe('```ts\nmain();\n```');
  });

  test.each([
    ['{* a.py hl[1,3:4] *}', '```py {1,3-4}\none\ntwo\nthree\nfour\n```'],
    ['{* a.py ln[2:3] hl[3] title["app/a.py"] *}', '```py title="app/a.py" {2}\ntwo\nthree\n```'],
    ['{* a.py ln[2:2] *}', '```py\ntwo\n```'],
    ['<<< a.py{1,3-4 python:line-numbers}', '```py {1,3-4}\none\ntwo\nthree\nfour\n```'],
  ])('%s is code with its lines, title and highlights', (body, code) => {
    const read: DialectPage['read'] = () => ({ file: 'a.py', body: 'one\ntwo\nthree\nfour\n' });
    expect(translate(body, {}, { read }).body).toBe(code);
  });

  test('that cannot be read shows the path and is reported with its line', async () => {
    const { html, issues } = await show('Text.\n\n--8<-- "none.md"\n\n--8<-- "../../secret.md"');
    expect(html).toContain('<code>none.md</code>');
    expect(issues).toEqual([
      { kind: 'snippet-missing', what: 'none.md', line: 3 },
      { kind: 'snippet-outside-folder', what: '../../secret.md', line: 5 },
    ]);
  });

  test.each([
    ['[!code-csharp[Main](../samples/A.cs?name=Run&highlight=2)]', 'run();'],
    ['[!code-csharp[](../samples/A.cs#L7-L7)]', 'last();'],
    [':::code language="csharp" source="../samples/A.cs" id="tagged":::', 'tagged();'],
    [':::code source="../samples/A.cs" range="2":::', 'run();'],
  ])('%s is the part of a sample', async (body, code) => {
    const sample = '#region Run\nrun();\n#endregion\n// <Tagged>\ntagged();\n// </Tagged>\nlast();\n';
    const read: DialectPage['read'] = () => ({ file: 'samples/A.cs', body: sample });
    const { html } = await show(body, {}, { read });
    expect(html.replace(/<[^>]*>/g, '').trim()).toBe(code);
  });

  test('of many parts of a large file is whole', async () => {
    const file = Array.from({ length: 20_000 }, (_, i) => `line ${i + 1}`).join('\n');
    const body = Array.from({ length: 40 }, (_, i) => `:::code source="a.js" range="${i + 1}":::\n`).join('\n');
    const { body: translated, issues } = translate(body, { 'a.js': file });
    expect(translated.match(/^line \d+$/gm)).toHaveLength(40);
    expect(issues).toEqual([]);
  });

  test('of parts of a large file ends', () => {
    const { issues } = translate('--8<-- "a.md:1"\n'.repeat(2000), { 'a.md': 'x\n'.repeat(500_000) });
    expect(issues.map(({ kind }) => kind)).toEqual(['snippet-too-deep']);
  });

  test('of itself ends', () => {
    const { body, issues } = translate('--8<-- "a.md"', { 'a.md': 'A\n--8<-- "b.md"', 'b.md': 'B\n--8<-- "a.md"' });
    expect(body).toBe('A\nB\n`a.md`');
    expect(issues).toEqual([{ kind: 'snippet-too-deep', what: 'a.md', line: 1 }]);
  });

  test('that multiplies ends', () => {
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`${i}.md`, `${'x'.repeat(100)}\n${`--8<-- "${i + 1}.md"\n`.repeat(20)}`]),
    );
    const { body, issues } = translate('--8<-- "0.md"', files);
    expect(body.length).toBeLessThan(10_000_000);
    expect(issues.map(({ kind }) => kind)).toContain('snippet-too-deep');
  });
});

test('sections of Docsy show their title and content', async () => {
  const { html, issues } = await show(
    '{{% blocks/section color="dark" %}}\n{{% blocks/feature title="Fast" %}}\nVery *fast*.\n{{% /blocks/feature %}}\n{{% /blocks/section %}}',
  );
  expect(html).toBe('<p><strong>Fast</strong></p>\n<p>Very <em>fast</em>.</p>');
  expect(issues).toEqual([]);
});

test("GitBook's reference to an operation shows its method and path", async () => {
  const { html, issues } = await show(
    '{% openapi src="x.json" path="/pet" method="post" %}\n[x](https://a.example)\n{% endopenapi %}',
  );
  expect(html).toBe('<p><code>POST /pet</code></p>\n<p><a href="https://a.example">x</a></p>');
  expect(issues).toEqual([]);
});

test('a link or an image of a tag in an HTML element is one', async () => {
  const { html } = await show('<div class="wide">\n{{< youtube abc >}}\n</div>\n\n<div>\n{{< figure src="a.png" >}}\n</div>\n');
  expect(html).toContain('<a href="https://www.youtube.com/watch?v=abc">YouTube</a>');
  expect(html).toContain('<img');
});

test('the index of a formula is not a list of attributes', () => {
  expect(translate('$$\n\\sum_{k=0}^n _a_{.b}\n$$').body).toBe('$$\n\\sum_{k=0}^n _a_\n$$');
});

test('the home page of VitePress, which is all frontmatter, is text, links and cards', async () => {
  const frontmatter = {
    layout: 'home',
    hero: {
      name: 'Parcels',
      text: 'Send anything',
      tagline: 'In one call.',
      image: { src: '/logo.svg', alt: 'A parcel' },
      actions: [{ theme: 'brand', text: 'Get started', link: '/guide' }, { text: 'No link' }],
    },
    features: [{ icon: '🚀', title: 'Quick', details: 'It takes a second.', link: '/quick' }, { title: 'Small' }, 'broken'],
  };
  const { body, markdown, issues } = await show('And *more*.', {}, { frontmatter });
  expect(bodyFacts(body)).toMatchObject({ heading: { text: 'Parcels' } });
  expect(markdown).toBe(
    [
      '# Parcels',
      '**Send anything**',
      'In one call.',
      '![A parcel](/logo.svg)',
      '[Get started](/guide)',
      '- **[🚀 Quick](/quick)**: It takes a second.\n- **Small**',
      'And *more*.',
    ].join('\n\n'),
  );
  expect(issues).toEqual([]);
  expect(translate('And *more*.', {}, { frontmatter: { ...frontmatter, layout: 'page' } }).body).toBe('And *more*.');
});

test('a reference that mkdocstrings would make shows its name and is reported', async () => {
  const { markdown, issues } = await show('One.\n\n::: parcels.api.Client\n    options:\n      members: true\n\nTwo.');
  expect(markdown).toBe('One.\n\n`parcels.api.Client`\n\nTwo.');
  expect(issues).toEqual([{ kind: 'unknown-syntax', line: 3, what: '::: parcels.api.Client' }]);
});

test('a tag without a meaning shows its content or its text, and each kind is reported once with its line', async () => {
  const { html, issues } = await show(
    'a\n\n{{< shiny >}}\nInner *text*.\n{{< /shiny >}}\n\n{{< shiny text="other" >}}\n\n{% vip "x y" %}\n',
  );
  expect(html.replaceAll('\n', '')).toBe('<p>a</p><p>Inner <em>text</em>.</p><p>other</p><p>x y</p>');
  expect(issues).toEqual([
    { kind: 'unknown-syntax', what: '{{< shiny >}}', line: 3 },
    { kind: 'unknown-syntax', what: '{% vip %}', line: 9 },
  ]);
});

test('problems have the lines of the file', async () => {
  const { body, lines } = translate('{{< note >}}a{{< /note >}}\n\n[x](javascript:alert)\n');
  const renderer = createRenderer(options);
  const { problems } = await renderer.render(
    page('', { body: body.replace('[x]', '<Unknown-x />\n[x]'), lines, bodyLine: 4, kind: 'md', file: 'page.md' }),
  );
  expect(lines).toEqual([1, 1, 1, 2, 3, 4]);
  expect(problems.filter(({ kind }) => kind === 'unknown-component').map(({ line }) => line)).toEqual([7]);
});

describe('bad input', () => {
  test.each([
    ['unclosed', '{{< note >}}\nkept\n\n{% hint %}\n\n!!! note\n\n=== "x"\n\n/// tip\n\n```{note}\n'],
    ['closed twice', '{{< /note >}}kept{{< /note >}}\n{% endhint %}\n///\n:::\n'],
    ['without an end', `kept {{< ${'note '.repeat(10)}`],
  ])('%s tags lose no text', async (_, body) => {
    expect((await show(body)).html).toContain('kept');
  });

  const depth = 1000;
  test.each([
    ['Hugo', '{{< note >}}\n'.repeat(depth) + 'kept\n' + '{{< /note >}}\n'.repeat(depth)],
    ['GitBook', '{% tabs %}\n{% tab title="a" %}\n'.repeat(depth) + 'kept\n' + '{% endtab %}\n{% endtabs %}\n'.repeat(depth)],
    ['containers', ':::note\n'.repeat(depth) + 'kept\n' + ':::\n'.repeat(depth)],
    ['PyMdown', '/// note\n'.repeat(depth) + 'kept\n' + '///\n'.repeat(depth)],
    ['MyST', Array.from({ length: depth }, (_, i) => `${'`'.repeat(depth + 3 - i)}{note}\n`).join('') + 'kept\n'],
    [
      'MkDocs',
      Array.from({ length: depth }, (_, i) => `${'    '.repeat(i)}!!! note\n`).join('') + `${'    '.repeat(depth)}kept\n`,
    ],
  ])('1,000 levels of %s are shown', async (_, body) => {
    expect((await show(body)).html).toContain('kept');
  });

  test.each([
    '{{< ',
    '{{< note >}}',
    '{{< /note >}}',
    '{% raw %}',
    '{{ page.',
    '`',
    '``{{<',
    '++a',
    '==a',
    '^^a',
    '{: ',
    ':material-',
    '[a](b){',
    '{doc}`',
    '{{</*',
    '<div markdown ',
    '| ',
    '|\t ',
    '=== "',
    '!!! note ',
    '{a=',
    '- ',
    '<xref:',
    '<template #',
    ':::code source="',
    '[!code[',
  ])('the time for a long line of %s grows with its length', (unit) => {
    for (const end of ['', '\n', ' >}} %} }} '])
      expectLinear(250_000, (size) => {
        expect(translate(`${unit.repeat(Math.ceil(size / unit.length))}${end}`).body.length).toBeLessThan(5 * size);
      });
  });

  test.each(['`', '](', '[a]: ', 'href="', '](<', '` ``'])('so does that for such a line of an included file: %s', (unit) => {
    expectLinear(200_000, (size) => {
      const file = { file: '.gitbook/a.md', body: unit.repeat(Math.ceil(size / unit.length)) };
      expect(translate('{% include ".gitbook/a.md" %}', {}, { read: () => file }).body.length).toBeGreaterThan(size / 2);
    });
  });

  test.each([
    '{{< note >}}',
    '{{< note >}}a{{< /note >}}',
    '!!! note',
    '=== "a"',
    '/// tab | a',
    '```{note}',
    'a\n: b',
    '# [a](#tab/a)',
    '<xref:a.b>',
    `a${' {.b'.repeat(50)}`,
    '{: .note }',
    '--8<-- "a.md"',
    '`',
    '{% raw %}',
    '<div markdown>',
  ])('the time for many lines of %s grows with their number', (line) => {
    expectLinear(25_000, (size) => expect(translate(`${line}\n`.repeat(size)).body.length).toBeGreaterThan(0));
  });
});

test.each([
  ['## State %{#state}%', '## State {#state}'],
  ['## State\n%{#the-state .big}%', '## State {#the-state}'],
  ['[x](y)%{target="_blank"}% and 100%{a}% of `%{#id}%`', '[x](y) and 100%{a}% of `%{#id}%`'],
  ['```\n## State %{#state}%\n```', '```\n## State %{#state}%\n```'],
])('attributes of VitePress in %%{ and }%%, beside Vue: %j', (body, translated) => {
  expect(translate(body).body).toBe(translated);
});

test.each([
  ['![Welcome](a.png) {#welcome}\n\nText', '![Welcome](a.png)\n\nText'],
  ['Some text\nof two lines. {.lead .big}', 'Some text\nof two lines.'],
  ['- one {.done}\n- two {.done data-a="b c"}', '- one\n- two'],
  ['## Title {.big #own}\n', '## Title {#own}\n'],
])('attributes at the end of a block of VitePress are not text: %j', (body, translated) => {
  expect(translate(body).body).toBe(translated);
});

test.each([
  'Write {.a} and {#b} here',
  'Begin with {#if}\n',
  'A line {.a}\nand another',
  'Write `x {.a}`',
  'Write \\{.a}',
  '::: {.note}\nText\n:::',
])('braces that are not attributes stay: %j', (body) => {
  expect(translate(body).body).toContain(body.split('\n')[0]);
});

describe('terms of a glossary', () => {
  const read: DialectPage['read'] = (path) =>
    /^\/glossary\/(?:page-kind|regular-expression|class)\.md$/.test(path)
      ? { file: path.slice(1), body: 'A _kind_.' }
      : { refused: 'missing' };

  test.each([
    [
      '[_page kinds_](g) and [Regular expressions](g)',
      '[_page kinds_](/glossary/page-kind.md) and [Regular expressions](/glossary/regular-expression.md)',
    ],
    ['[classes](g)', '[classes](/glossary/class.md)'],
    ['[unknown](g), `[class](g)` and [x](go)', '[unknown](g), `[class](g)` and [x](go)'],
    ['A {{< glossary_tooltip text="kind of page" term_id="page-kind" >}}.', 'A [kind of page](/glossary/page-kind.md).'],
    ['A {{< glossary_tooltip text="pod" term_id="pod" >}}.', 'A pod.'],
    ['{{% glossary-term "page kind" %}}', 'A _kind_.'],
  ])('%s', (body, translated) => {
    const page = translate(body, {}, { read });
    expect([page.body.trim(), page.issues]).toEqual([translated, []]);
  });
});

test.each([
  ['{{% conditional-text include-if="ui" %}}\n**Text**\n{{% /conditional-text %}}', '**Text**'],
  ['{{< swaggerui src="/openapi.yaml" >}}', '[/openapi.yaml](/openapi.yaml)'],
  ['See {{< hl md >}}**x**{{< /hl >}}.', 'See `**x**`.'],
])('a shortcode that wraps or names something shows it, without a note: %j', (body, translated) => {
  const page = translate(body);
  expect([page.body.trim(), page.issues]).toEqual([translated, []]);
});
