import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { answerFrom, type Quote } from '../../../integration/search/answer.ts';
import { english, labelsOf } from '../../../integration/texts/index.ts';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import { openIndex, type SearchIndex } from '../../../integration/search/index.ts';
import { quotedAnswer } from '../../../integration/search/quoted-answer.ts';
import { markedText, marks, unmarked } from '../../../integration/search/text-marks.ts';
import { shardText } from '../../../integration/search/shards.ts';

async function quotesFor(index: SearchIndex, question: string): Promise<Quote[]> {
  return (await answerFrom(index, question)).quotes;
}

/** An index of pages of one introduction each, by path: title, text and code. */
async function indexOf(pages: Record<string, [title: string, text: string, code?: string]>) {
  const builder = createIndexBuilder();
  for (const [page, [title, text, code = '']] of Object.entries(pages))
    builder.addPage({ page, title, sections: [{ id: page, page, title, headings: [], text, code, language: 'en' }] });
  const files = builder.finish();
  const loaded: string[] = [];
  const load = async (name: string) => (loaded.push(name), shardText(files.get(`${name}.js`)!));
  return { index: await openIndex({ load }), loaded };
}

const lighthouse = {
  lamp: ['The lamp', 'It burns paraffin.\nClean the lens before dusk. Never touch it with bare hands.'],
  fog: ['The fog horn', 'It sounds every 45 seconds.'],
  log: ['The log book', 'Write down each ship:', 'log add --ship "Aurora"\nlog list --night'],
  client: ['Client', 'Call it for many ships at a time.', 'await lights.batchTrigger(["north", "south"]);'],
  paint: ['Paint', 'White, every second spring.'],
} satisfies Record<string, [string, string, string?]>;

const harbour = {
  '': ['Tidewater', 'Tidewater moves files between harbours. It needs no server.\nQuickstart\nSearch'],
  quickstart: ['Quickstart', 'Pack one file and send it.\nYou need two harbours. Other ports: start it with PORT=8080.'],
  'guides/search': ['Find files', 'Look for a file by its name. What is found is shown by harbour.\nThe search is quick.'],
  other: ['Other programs', 'Searchlight has a search. It starts a search of its own; each search and each start costs time.'],
  options: ['Options', 'Option Default Meaning\nsearch on Whether there is a search\nretries 3 Tries of a search'],
  webhooks: ['Webhooks', 'They tell your own server.'],
} satisfies Record<string, [string, string, string?]>;

describe('the answer to a short question begins with what a reader would pick', () => {
  test.each([
    ['search', 'guides/search', 'Look for a file by its name.'],
    ['how does search work', 'guides/search', 'Look for a file by its name.'],
    ['What is Tidewater?', '', 'Tidewater moves files between harbours.'],
    ['how do I get started', 'quickstart', 'Pack one file and send it.'],
    ['where do I begin?', 'quickstart', 'Pack one file and send it.'],
    ['quick start', 'quickstart', 'Pack one file and send it.'],
    ['web hooks', 'webhooks', 'They tell your own server.'],
    ['retries', 'options', 'retries 3 Tries of a search'],
  ])('%s', async (question, page, text) => {
    const [first] = await quotesFor((await indexOf(harbour)).index, question);
    expect([first?.page, first?.text.slice(0, text.length)]).toEqual([page, text]);
  });
});

describe('a question', () => {
  test.each<[kind: string, question: string, pages: string[]]>([
    ['in the words of the docs', 'How often does the fog horn sound?', ['fog']],
    ['without a question mark', 'cleaning lens', ['lamp']],
    ['with a typo', 'What does the lamp burn, parafin?', ['lamp']],
    ['about a name in code', 'How do I call batchTrigger?', ['client']],
    ['about a command', 'How do I add a ship to the log?', ['log']],
    ['of one word', 'paraffin', ['lamp']],
    ['in capitals', 'HOW OFTEN DOES THE FOG HORN SOUND', ['fog']],
    ['among emoji', '🌫️ fog horn 📯?', ['fog']],
    ['about what the docs never mention', 'How do I cook soup?', []],
    ['about a name that the docs never mention, and a word that they do', 'Does the lamp work with Bluetooth from Samsung?', []],
    ['in another script', '灯塔的雾笛多久响一次？', []],
    ['that is empty', '', []],
    ['of spaces', ' \n\t ', []],
    ['of punctuation', '?!… — ()', []],
    ['of emoji', '🚢🚢🚢', []],
    ['of stop words alone', 'How do I do this with it, and what is that?', []],
    ['of half a character', '\ud83d', []],
    ['with the separators of the index', 'fog\u001ehorn\u001fsound', ['fog']],
    ['with names that objects have', '__proto__ constructor toString', []],
  ])('%s', async (_, question, pages) => {
    const { index } = await indexOf(lighthouse);
    const quotes = await quotesFor(index, question);
    expect(quotes.slice(0, 1).map(({ page }) => page)).toEqual(pages);
  });

  test('of ten thousand words loads a bounded number of files', async () => {
    const { index, loaded } = await indexOf(lighthouse);
    const words = Array.from({ length: 10_000 }, (_, i) => `word${i}`);
    expect(await answerFrom(index, `${words.join(' ')} fog horn?`)).toEqual({ quotes: [], nearest: [] });
    expect((await quotesFor(index, `${'the fog horn '.repeat(3334)}?`)).map(({ page }) => page)).toEqual(['fog']);
    expect(loaded.length).toBeLessThan(60);
  });

  test('has no answer in docs without pages', async () => {
    const { index } = await indexOf({});
    expect(await answerFrom(index, 'How often does the fog horn sound?')).toEqual({ quotes: [], nearest: [] });
  });

  test.each([
    ['How do I reset my router?', 'limits'],
    ['What does the enterprise plan cost?', 'clients'],
  ])('is not answered by quotes without its rarest words: %s', async (question, nearest) => {
    const filler = 'Ships come and go.\n'.repeat(12);
    const pages = Array.from({ length: 30 }, (_, i): [string, [string, string]] => [
      `p${i}`,
      [`Part ${i}`, `We plan.\n${filler}`],
    ]);
    const { index } = await indexOf({
      ...Object.fromEntries(pages),
      limits: ['Limits', `The time of the reset is in a header.\n${filler}A router forwards requests.`],
      clients: ['Clients', `Plan for a small memory. Each request has a cost.\n${filler}`],
      customers: ['Who uses it', 'Enterprise customers.'],
    });
    const answer = await answerFrom(index, question);
    expect([answer.quotes, answer.nearest[0]?.page]).toEqual([[], nearest]);
  });

  test('without an answer names the closest pages', async () => {
    const { index } = await indexOf(lighthouse);
    const { quotes, nearest } = await answerFrom(index, 'Does the fog horn play songs by Mozart in stereo?');
    expect(quotes).toEqual([]);
    expect(nearest.map(({ page, title }) => [page, title])).toEqual([['fog', 'The fog horn']]);
  });
});

describe('a quote', () => {
  test('consists of whole sentences, verbatim', async () => {
    const { index } = await indexOf(lighthouse);
    const [quote] = await quotesFor(index, 'May I touch the lens with my hands?');
    expect(quote).toEqual({
      ...{ id: 'lamp', page: 'lamp', title: 'The lamp', headings: [], score: 1, code: '' },
      text: 'Clean the lens before dusk. Never touch it with bare hands.',
      marked: 'Clean the lens before dusk. Never touch it with bare hands.',
    });
  });

  test('includes the code that its text introduces', async () => {
    const { index } = await indexOf(lighthouse);
    const [quote] = await quotesFor(index, 'How do I write down a ship?');
    expect([quote?.text, quote?.code]).toEqual(['Write down each ship:', 'log add --ship "Aurora"\nlog list --night']);
  });

  test('of long code has the lines that match, with those that complete them', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `step${i}();`);
    lines.splice(100, 0, 'openShutter({', '  windward: true,', '});');
    const { index } = await indexOf({ shutter: ['Steps', 'All of them.', lines.join('\n')], other: ['Other', 'Nothing.'] });
    const [quote] = await quotesFor(index, 'openShutter windward');
    expect(quote?.code).toBe('openShutter({\n  windward: true,\n});');
  });

  test('of an endless line is cut between words', async () => {
    const endless = `numbers ${'1234567 '.repeat(2000)}`;
    const { index } = await indexOf({ numbers: ['Numbers', endless], other: ['Other', 'Nothing.'] });
    const [quote] = await quotesFor(index, 'numbers');
    expect(quote?.text.length).toBeLessThanOrEqual(840);
    expect(endless).toContain(`${quote?.text} `);
  });

  test('is not repeated if two pages say the same', async () => {
    const same: [string, string] = ['Storm', 'Close the shutters when a storm comes.'];
    const { index } = await indexOf({ a: same, b: same, c: ['Calm', 'Open the windows.'] });
    expect((await quotesFor(index, 'What to close in a storm?')).length).toBe(1);
  });

  test.each([
    ['German', 'Wie oft ertönt das Nebelhorn?', 'Das Nebelhorn', 'Es ertönt alle 45 Sekunden.'],
    ['French', 'À quelle heure faut-il allumer la lampe ?', 'La lampe', "Allumer la lampe à l'heure du coucher du soleil."],
    ['Russian', 'Как часто звучит туманный горн?', 'Туманный горн', 'Он звучит каждые 45 секунд.'],
    ['Chinese', '雾笛多久响一次？', '雾笛', '雾笛每四十五秒响一次。'],
    ['Japanese', '霧笛は何秒ごとに鳴りますか？', '霧笛', '霧笛は四十五秒ごとに鳴ります。'],
    ['Korean', '안개 나팔은 얼마나 자주 울립니까?', '안개 나팔', '안개 나팔은 45초마다 자주 울립니다.'],
    ['Arabic', 'كم مرة يعمل بوق الضباب؟', 'بوق الضباب', 'يعمل بوق الضباب كل 45 ثانية.'],
  ])('answers in %s', async (_, question, title, text) => {
    const { index } = await indexOf({ horn: [title, text], other: ['Other', 'Paint it white.'], third: ['Third', 'Nothing.'] });
    expect(await quotesFor(index, question)).toMatchObject([{ id: 'horn', text }]);
  });
});

describe('as Markdown', () => {
  const quote = (text: string, code = ''): Quote => ({
    ...{ id: 'a#b', page: 'a', title: 'A', headings: ['B'], score: 1, text, code },
    marked: markedText({ text: unmarked(text), code }),
  });

  test('quotes are in order, each with its number', () => {
    expect(quotedAnswer([quote('One.\nTwo.'), quote('Run this:', 'npm start'), quote('', 'npm stop')])).toBe(
      'From the docs:\n\n> One.  \n> Two. [1]\n\n> Run this: [2]\n\n```\nnpm start\n```\n\n```\nnpm stop\n```\n\n[3]',
    );
  });

  test('lists, tables, inline code and code in between look as on the page', () => {
    const { codeWord, inlineCode, cell, head, item, step, code } = marks;
    const marked = [
      `Set ${codeWord}A_B, then ${inlineCode}a | b${inlineCode}:`,
      `${step}Run it:${code}npm start${code}${step}Look.`,
      `${item}one`,
      `${head}Key${cell}Meaning`,
      `${codeWord}--port${cell}1|2`,
    ];
    expect(quotedAnswer([{ ...quote(''), marked: marked.join('\n') }])).toBe(
      [
        'From the docs:\n',
        '> Set `A_B`, then `a | b`:\n>\n> 1. Run it: [1]\n',
        '```\nnpm start\n```\n',
        '> 2. Look.\n>\n> - one\n>\n> | Key | Meaning |\n> | --- | --- |\n> | `--port` | 1\\|2 |',
      ].join('\n'),
    );
  });

  test('names with underscores, options and versions are not escaped', () => {
    expect(quotedAnswer([quote('--version prints CARREL_BUNDLE_VERSION & more!')])).toBe(
      'From the docs:\n\n> --version prints CARREL_BUNDLE_VERSION & more! [1]',
    );
  });

  test('without quotes it says so and lists the closest pages', () => {
    const nearest = [{ id: 'a#b', page: 'a', title: 'A *star*', headings: ['B'] }];
    expect(quotedAnswer([])).toBe('The docs do not answer this.');
    expect(quotedAnswer([], undefined, nearest)).toBe(
      'The docs do not answer this.\n\nThe closest pages:\n\n- A \\*star\\* › B [1]',
    );
  });

  test.each(['de', 'fr', 'es', 'zh-Hans', 'ja', 'ru', 'ar', 'pt-BR'])('speaks %s', async (language) => {
    const { quotes: labels } = await labelsOf(language);
    expect(labels).not.toEqual(english.quotes);
    expect(quotedAnswer([quote('x')], labels)).toBe(`${labels.answerQuotes}\n\n> x [1]`);
  });

  test.each([
    '[click](javascript:alert(1))',
    '![pixel](https://evil.example/x.png)',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[ref]: https://evil.example',
    'https://evil.example/path and www.evil.example and me@evil.example',
    'mailto:me@evil.example xmpp:me@evil.example',
    '# heading',
    '- item',
    '+ item',
    '1. item',
    '12) item',
    '===',
    '---',
    '> nested',
    '```js',
    '~~~',
    '    indented code',
    '| a | b |',
    '**bold** _italic_ ~~struck~~ `code`',
    '&lt;b&gt; &#60;script&#62;',
    '$x$ and $$y$$ and {expression}',
    '[^1] and [^1]: note',
    '[1] and [99]',
    'a \\[b](https://evil.example)',
    ':::warning',
    'ftp://evil.example <https://evil.example>',
  ])('%s renders verbatim', (line) => {
    const tree = unified()
      .use(remarkParse)
      .use(remarkGfm)
      .parse(quotedAnswer([quote(`Before.\n${line}\nAfter.`)]));
    const [, blockquote] = tree.children as unknown as Node[];
    expect(kindsIn(blockquote!).filter((kind) => kind !== 'inlineCode')).toEqual(['blockquote', 'break', 'paragraph', 'text']);
    expect(wordsIn(blockquote!)).toBe(`Before.\n${line.trim()}\nAfter. [1]`);
  });

  test.each(['a\\\\|![pixel](https://evil.example/x.png)', 'a\\|b c', 'a\\\\\\|<b>', 'a|b|', 'http://a\\\\|<b>x</b>', '\\|'])(
    '%s renders verbatim in the cell of a table, as code and as text',
    (cell) => {
      const { inlineCode, head, cell: next } = marks;
      for (const written of [cell, `${inlineCode}${cell}${inlineCode}`]) {
        const marked = `${head}Pattern${next}Meaning\n${written}${next}x`;
        const tree = unified()
          .use(remarkParse)
          .use(remarkGfm)
          .parse(quotedAnswer([{ ...quote(''), marked }]));
        const [table] = (tree.children[1] as unknown as Node).children!;
        const [name, meaning, ...others] = table!.children![1]!.children!;
        expect([wordsIn(name!), wordsIn(meaning!), others.length]).toEqual([cell, 'x', 0]);
        expect(kindsIn(name!).filter((kind) => !['inlineCode', 'text'].includes(kind))).toEqual(['tableCell']);
      }
    },
  );

  test('code cannot leave its fence', () => {
    const code = 'a\n```\n[link](https://evil.example)\n````\n<b>';
    const tree = unified()
      .use(remarkParse)
      .parse(quotedAnswer([quote('', code)]));
    expect((tree.children as unknown as Node[])[1]).toMatchObject({ type: 'code', value: code });
    expect(tree.children.length).toBe(3);
  });
});

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

function kindsIn(node: Node): string[] {
  return [...new Set([node.type, ...(node.children ?? []).flatMap(kindsIn)])].sort();
}

function wordsIn({ type, value, children }: Node): string {
  return type === 'break' ? '\n' : (value ?? (children ?? []).map(wordsIn).join(''));
}
