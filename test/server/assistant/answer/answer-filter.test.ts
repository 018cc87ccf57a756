import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../support/linear.ts';
import { AnswerFilter } from '../../../../server/assistant/answer/answer-filter.ts';
import { createLinkCheck } from '../../../../server/assistant/answer/answer-links.ts';

/** The docs of these tests have these links. */
const text = 'Links: https://a.test/, https://a.test/b and [c](https://a.test/b?c=d); <mailto:a@b.test>';
const section = { id: 'a', page: 'a', section: 0, title: 'A', headings: [], text: '', code: '', terms: [] };
const mayLink = createLinkCheck('https://docs.test', [{ number: 1, text, section }]);

function filtered(pieces: Iterable<string>, count = 3): string[] {
  const filter = new AnswerFilter((number) => (number >= 1 && number <= count ? number : undefined), mayLink);
  return [...Array.from(pieces).map((piece) => filter.push(piece)), filter.end()];
}

const cases: [title: string, text: string, expected: string][] = [
  ['a source that there is', 'Run it [1].', 'Run it [1].'],
  ['one that there is not, with the blank before it', 'Run it [4]. Then [9] stop.', 'Run it. Then stop.'],
  ['without a blank, words stay apart', 'Run [9]it', 'Run it'],
  ['several at once', 'Run [1, 2] and [1;3].', 'Run [1][2] and [1][3].'],
  ['several of which some are', 'Run [1, 7].', 'Run [1].'],
  ['one after the other', 'Run [1][9][3].', 'Run [1][3].'],
  ['a range', 'Run [1-3], [2–9], [1-99].', 'Run [1][2][3], [2][3],.'],
  ['the same twice', 'Run [1, 1].', 'Run [1].'],
  ['zero and large numbers', 'a [0] b [00] c [99999999999999999999] d', 'a b c d'],
  ['as a footnote', 'Run [^2] or [^8].', 'Run [2] or.'],
  ['in brackets of another script', 'Run【2】 or 【3†source】 or【7】.', 'Run[2] or [3] or.'],
  ['at the start of a line', '[1] says so.\n[8] does not.', '[1] says so.\n does not.'],
  ['a link with a number as its text', 'See [9](https://a.test/) and [1](/b).', 'See [9](https://a.test/) and [1](/b).'],
  ['the definition of a link', '[9]: https://a.test/\n', '[9]: https://a.test/\n'],
  ['other brackets', 'An [array] of [x] and [ ] and [1 apple] [a9]', 'An [array] of [x] and [ ] and [1 apple] [a9]'],
  ['a task list', '- [ ] one\n- [x] two', '- [ ] one\n- [x] two'],
  ['escaped', 'It is \\[9] here.', 'It is \\[9] here.'],
  ['in a code span', 'Use `list[9]` and ``a`[8]`` now [9].', 'Use `list[9]` and ``a`[8]`` now.'],
  ['after a tick that opens no code', "It's `odd [9].\n\nNext [9] [1].", "It's `odd.\n\nNext [1]."],
  ['after ticks at the end', 'Odd ``` [9]', 'Odd ```'],
  ['in a code block', '```js\nlist[9] = [8]\n```\nSo [9][1].', '```js\nlist[9] = [8]\n```\nSo[1].'],
  ['in a longer code block', '````\n```\n[9]\n```\n[8]\n````\n[9][2]', '````\n```\n[9]\n```\n[8]\n````\n[2]'],
  ['in a block of tildes, in a list', '- a\n  ~~~\n  [9]\n  ```\n  ~~~\n  b [9]', '- a\n  ~~~\n  [9]\n  ```\n  ~~~\n  b'],
  ['in a block that is not closed', '```\n[9]\n', '```\n[9]\n'],
  ['a bracket that never closes', 'See [1, 2', 'See [1, 2'],
  ['a bracket with too much in it', `See [${'1, '.repeat(60)}`, `See [${'1, '.repeat(60)}`],
  ['blanks and lines at the end', 'a  \n\n  ', 'a  \n\n  '],
  ['astral characters', '😀 [1] 🎉[9]', '😀 [1] 🎉'],
  ['nothing', '', ''],
];

test('line breaks stay, which tables need', () => {
  expect(filtered('| a<br>b<br/>c<BR /> | <brx> <br onclick=x> |').join('')).toBe(
    '| a<br>b<br/>c<BR /> | &lt;brx> &lt;br onclick=x> |',
  );
});

const inertCases: [title: string, text: string, expected: string][] = [
  [
    'HTML',
    'A <img src=x onerror=alert(1)> b <b>c</b> <!-- d --> <?e?> 1 < 2',
    'A &lt;img src=x onerror=alert(1)> b &lt;b>c&lt;/b> &lt;!-- d --> &lt;?e?> 1 &lt; 2',
  ],
  ['HTML at the start of a line', '<script>\nalert(1)\n</script>', '&lt;script>\nalert(1)\n&lt;/script>'],
  [
    'a URL in angle brackets',
    'See <https://a.test/b?c=d> and <mailto:a@b.test>.',
    'See https://a.test/b?c=d and mailto:a@b.test.',
  ],
  ['a URL that is not one', '<https://a.test/ onclick=x>', '&lt;https://a.test/ onclick=x>'],
  ['an image', 'A ![tide](http://evil.test/p.png?q=1) b', 'A [tide] b'],
  ['an image by reference', '![a][b] ![c]\n\n[b]: http://evil.test/', '[a][b] [c]\n\n[b]\\: http\u2060://evil\u2060.test/'],
  ['an image in a link', '[![a](/b.png)](/c)', '[[a](/b.png)](/c)'],
  ['an image with a number', '![1](http://evil.test/p.png)', '[1]'],
  ['exclamation marks before an image', 'Yes!!![a](/b)', 'Yes[a](/b)'],
  ['an exclamation mark before a citation', 'Done![1] Yes! [2]', 'Done! [1] Yes! [2]'],
  ['an image behind a citation that is removed', '![9][a](/b) ! [9][a](/b)', '! [a](/b) ! [a](/b)'],
  ['HTML around a citation that is removed', '<[9]img src=x>', '&lt;img src=x>'],
  ['an escaped image', '\\![a](/b)', '\\! [a](/b)'],
  ['code spans', 'Use `<div>` and ``a`<b>`` and `![x](/y)`.', 'Use `<div>` and ``a`<b>`` and `![x](/y)`.'],
  ['code blocks', '```html\n<img src="x">\n![a](/b)\n```\n<i>', '```html\n<img src="x">\n![a](/b)\n```\n&lt;i>'],
  ['code in a list item', '1. Do:\n   ```jsx\n   <App />\n   ```\n2. <b>', '1. Do:\n   ```jsx\n   <App />\n   ```\n2. &lt;b>'],
  ['code of a list item that ends with it', '- a\n  ```\n<img src=x>\n', '- a\n  ```\n&lt;img src=x>\n'],
  ['a code block that only some see', 'a\n14. b\n    ```\n    <img src=x>\n', 'a\n14. b\n    ```\n    &lt;img src=x>\n'],
  ['a fence behind the mark of a list', '- ```\n  a\n\n  b\n  ```\n\n<img src=x>', '- ```\n  a\n\n  b\n  ```\n\n&lt;img src=x>'],
  ['a fence in a quote', '> ```\n<img src=x>\n> ```\n<img src=y>', '> ```\n&lt;img src=x>\n> ```\n&lt;img src=y>'],
  [
    'a line that is no end of a block',
    '```\n    ```\n<a>\n```\u00a0\n<b>\n```\n<c>',
    '```\n    ```\n<a>\n```\u00a0\n<b>\n```\n&lt;c>',
  ],
  ['a code span over list items', '`a\n- <img src=x> `', '`a\n- &lt;img src=x> `'],
  ['code spans after one over two lines', '`a\n- ` b ` <img src=x> `', '`a\n- ` b ` &lt;img src=x> `'],
  ['a code span over cells', '| `a | <img src=x> ` |', '| `a | &lt;img src=x> ` |'],
  ['a code span after a very long one', `\`${'a '.repeat(300)}\`<img src=x>\``, `\`${'a '.repeat(300)}\`&lt;img src=x>\``],
  ['a code span in a URL', 'https://a.test/`<img src=x>`', 'https://a.test/ `<img src=x>`'],
  ['a code span in a formula', '$`$<img src=x>`', '$`$&lt;img src=x>`'],
  ['carriage returns', 'a\r```\r\n<b>\r```\r<i>', 'a\n```\n<b>\n```\n&lt;i>'],
];

test.each(inertCases)('is text: %s', (_, text, expected) => {
  expect(filtered([text]).join('')).toBe(expected);
});

/** What a reader of Markdown would run or load, and links that the docs do not have. Addresses of email alone lead nowhere by themselves. */
function harmfulIn(text: string): string[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const found: string[] = [];
  const visit = (node: Nodes): void => {
    if (/^(?:html|image|imageReference)$/.test(node.type)) found.push(node.type);
    if ('url' in node && !mayLink(node.url) && !/^mailto:[^?]*$/.test(node.url)) found.push(node.url);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(tree);
  return found;
}

const linkCases: [title: string, text: string, expected: string][] = [
  ['of the docs', 'See [a](https://a.test/b "t") and [c](/d#e).', 'See [a](https://a.test/b "t") and [c](/d#e).'],
  ['to another host', 'See [a](https://evil.test/?q=secret).', 'See [a].'],
  ['with a title', '[a](https://evil.test/ "t") [b](<https://evil.test/x y>)', '[a] [b]'],
  ['that runs code', '[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc)', '[a] [b] [c]'],
  ['in another spelling', '[a](java&#115;cript:alert) [b](\\\\evil.test/x) [c](//evil.test)', '[a] [b] [c]'],
  ['in angle brackets', '<https://evil.test/?q=1>', 'https\u2060://evil\u2060.test/?q=1'],
  [
    'of a URL alone',
    'At https://evil.test/?q=1, www.evil.test.',
    'At https\u2060://evil\u2060.test/?q=1, www\u2060.evil\u2060.test\u2060.',
  ],
  ['as a definition', '[a]: https://evil.test/ "t"\n', '[a]\\: https\u2060://evil\u2060.test/ "t"\n'],
  ['with more behind it', 'https://a.test/[9]x https://a.test/<b', 'https://a.test/ x https://a.test/ &lt;b'],
  [
    'whose text is a URL',
    '[https://a.test/](https://a.test/) [https://evil.test](/a)',
    '[https://a.test/](https://a.test/) [https\u2060://evil\u2060.test](/a)',
  ],
  [
    'written with entities',
    'https&colon;//evil.test http&#58;//evil.test &lt; &amp;',
    'https&amp;colon;//evil.test http&amp;#58;//evil.test &lt; &amp;',
  ],
  ['written with backslashes', 'https\\://evil.test www\\.evil.test', 'https\\\\://evil.test www\\\\.evil.test'],
  [
    'behind a citation that is removed',
    '[a]【9】(https://evil.test/) http[9]://evil.test/',
    '[a] (https\u2060://evil\u2060.test/) http ://evil.test/',
  ],
  ['in code', '`https://evil.test/` ```[a](https://evil.test)```', '`https://evil.test/` ```[a](https://evil.test)```'],
  ['in a code block', '```\ncurl https://evil.test/\n```\n', '```\ncurl https://evil.test/\n```\n'],
  ['words with brackets', 'Use [a]: b and f(x)[0](y) and a &b; c', 'Use [a]: b and f(x)[0](y) and a &amp;b; c'],
];

test.each([
  ['/guides/install#npm', true],
  ['#npm', true],
  ['guides/install', true],
  ['https://docs.test/guides', true],
  ['https://a.test/b', true],
  ['https://a.test/b?c=d', true],
  ['mailto:a@b.test', true],
  ['https://docs.test.evil.test/', false],
  ['https://a.test/b?c=secret', false],
  ['https://a.test/b?c=', false],
  ['https://a.test', false],
  ['HTTPS://evil.test', false],
  ['//evil.test/x', false],
  ['/\\\\evil.test/x', false],
  ['\\\\evil.test', false],
  ['javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['www.evil.test', false],
  ['/go?to=https://evil.test', false],
])('whether an answer may link to %j: %s', (url, expected) => {
  expect(mayLink(url)).toBe(expected);
});

test.each(linkCases)('a link %s', (_, text, expected) => {
  expect(filtered([text]).join('')).toBe(expected);
  expect(filtered(text).join('')).toBe(expected);
});

test('a client finds neither HTML nor images, however the text was cut', () => {
  expect(harmfulIn('a <b> ![c](/d)')).toHaveLength(2);
  for (const [title, text, expected] of [...inertCases, ...linkCases, ...cases]) {
    expect(harmfulIn(expected), title).toEqual([]);
    // A code span of more than 400 characters may be given up earlier.
    if (text.length > 400) continue;
    for (let at = 0; at < text.length; at++)
      expect(filtered([text.slice(0, at), text.slice(at)]).join(''), `${title}, cut at ${at}`).toBe(expected);
  }
});

test('no mixture of marks gets HTML, an image or a link that the docs do not have through', () => {
  const marks = [
    '`',
    '``',
    '```',
    '~~~',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '14. ',
    '> ',
    '    ',
    '  ',
    '\t',
    '<img src=x>',
    '![a](/b)',
    '![a]',
    '[9]',
    '[1]',
    '|',
    '\\',
    '!',
    'word ',
    'https://a.test/',
    '\r',
    '[b]: /c',
    '<!--',
    '-->',
    '\n| - |\n',
    '# ',
    '***',
    '[^1]: ',
    ...'](|(https://evil.test/x)|https://evil.test/?q=1|http|https|://|:|//|www.|evil.test|[x]|<https://evil.test>|&colon;|&#58;|javascript:|]: |\\:|\\.|"t"|)|】|【9】|(/c)'.split(
      '|',
    ),
  ];
  let seed = 7;
  const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  let harmful = 0;
  const failing: string[] = [];
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 2 + random(18) }, () => marks[random(marks.length)]).join('');
    const pieces = random(2) ? [text] : Array.from(text);
    if (harmfulIn(text).length > 0) harmful++;
    const out = filtered(pieces).join('');
    if (harmfulIn(out).length > 0) failing.push(`${JSON.stringify(text)} → ${JSON.stringify(out)}: ${harmfulIn(out).join(' ')}`);
  }
  expect(harmful).toBeGreaterThan(200);
  expect(failing).toEqual([]);
});

test.each(cases)('%s', (_, text, expected) => {
  expect(filtered([text]).join('')).toBe(expected);
});

test('the pieces of the text make no difference, and no citation is cut', () => {
  for (const [title, text, expected] of cases) {
    expect(filtered(text).join(''), title).toBe(expected);
    for (let at = 1; at < text.length; at++) {
      const pieces = filtered([text.slice(0, at), text.slice(at)]);
      expect(pieces.join(''), `${title}, cut at ${at}`).toBe(expected);
    }
    if (/`|~|\]\(/.test(text)) continue;
    for (const piece of filtered(text)) expect(piece.match(/\[\d+$|^\d+\]/), `${title}: ${piece}`).toBeNull();
  }
});

test('ordinary text is sent at once', () => {
  const filter = new AnswerFilter((number) => number, mayLink);
  expect(filter.push('Run it')).toBe('Run it');
  expect(filter.push(' now')).toBe(' now');
  expect(filter.push(' [1')).toBe('');
  expect(filter.push('] or')).toBe(' [1] or');
  expect(filter.push('\n```sh\nnpm')).toBe('\n```sh\nnpm');
  expect(filter.push(' install')).toBe(' install');
});

test('a long answer in small pieces is read once', () => {
  const text = 'Words `code [9]` and [1] more [7].\n'.repeat(20_000);
  const filter = new AnswerFilter((number) => (number === 1 ? 1 : undefined), mayLink);
  let length = 0;
  for (let at = 0; at < text.length; at += 7) length += filter.push(text.slice(at, at + 7)).length;
  expect(length + filter.end().length).toBe('Words `code [9]` and [1] more.\n'.length * 20_000);
});

// Clients send earlier answers again, in one piece and of any length.
test.each(['<', '<https://a', 'https://a<', '`a ', '`a\n', '``a `', '[1, 1', '!', '- - - `\n', '[', '\\'])(
  'a long text of %j is read once',
  (part) => {
    expectLinear(80_000, (length) => {
      const text = part.repeat(length / part.length);
      expect(filtered([text]).join('').length).toBeGreaterThan(length / 4);
    });
  },
);

test.each([
  ['one and the other', 'So [2] and [1].', 'So [7] and [9].'],
  ['in a row', 'So [1][3][2].', 'So [9][7].'],
  ['in a row with blanks', 'So [1] [3] end.', 'So [9] end.'],
  ['in one bracket', 'So [1, 3, 2].', 'So [9][7].'],
  ['around what there is not', 'So [1][5][3].', 'So [9].'],
  ['again after words', 'So [1] and [3].', 'So [9] and [9].'],
])('numbers are replaced, each once in a row: %s', (_, text, expected) => {
  for (const pieces of [[text], text]) {
    const filter = new AnswerFilter((number) => ({ 1: 9, 2: 7, 3: 9 })[number], mayLink);
    expect([...Array.from(pieces).map((piece) => filter.push(piece)), filter.end()].join('')).toBe(expected);
  }
});
