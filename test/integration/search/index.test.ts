import { describe, expect, test } from 'vitest';
import { createIndexBuilder } from '../../../integration/search/builder.ts';
import type { SearchPage } from '../../../integration/search/analyze.ts';
import { groupByPage, openIndex } from '../../../integration/search/index.ts';
import { shardScript, shardText } from '../../../integration/search/shards.ts';
import { generatedPages, generatedQueries } from '../../support/generated-pages.ts';
import { wholeIndex } from '../../support/whole-index.ts';

/** Opens the index of the pages; `loaded` are the requested files. */
async function open(pages: SearchPage[]) {
  const builder = createIndexBuilder();
  for (const page of pages) builder.addPage(page);
  const files = builder.finish();
  const loaded: string[] = [];
  const load = async (name: string) => {
    loaded.push(name);
    return shardText(files.get(`${name}.js`)!);
  };
  return { index: await openIndex({ load }), loaded, load };
}

/** A page with an introduction and, by heading, further sections. */
function page(
  path: string,
  title: string,
  text: string,
  sections: Record<string, string> = {},
  more: Partial<SearchPage> = {},
): SearchPage {
  const common = { page: path, title, code: '', language: 'en' };
  return {
    page: path,
    title,
    sections: [
      { ...common, id: path, headings: [], text },
      ...Object.entries(sections).map(([heading, words]) => ({
        ...common,
        id: `${path}#${heading.toLowerCase().replaceAll(' ', '-')}`,
        headings: [heading],
        text: words,
      })),
    ],
    ...more,
  };
}

test('results have the tag of their page', async () => {
  const pages = [page('create', 'Create', 'Makes a user.', {}, { tag: 'POST' }), page('list', 'List', 'All users.')];
  const { index } = await open(pages);
  const tags = (results: { page: string; tag?: string }[]) => new Map(results.map(({ page, tag }) => [page, tag]));
  expect(tags(await index.search('user'))).toEqual(
    new Map([
      ['create', 'POST'],
      ['list', undefined],
    ]),
  );
});

const manual = [
  page('', 'Welcome', 'What this program is for.'),
  page('install', 'Installing', 'Put the program on your machine.', {
    Npm: 'Run the command once.',
    'From source': 'Clone the repository.',
  }),
  page('tasks', 'Background work', 'Work that goes on behind.', {
    'Trigger many': 'Call tasks.batchTrigger with a list.',
    'One by one': 'Call the trigger.',
  }),
  page('state', 'State', 'The hook useEffect runs after a render and reads max_retry_count.'),
  page('for', 'For', 'Repeats a block.'),
  page('classes', 'Categories', 'Every class has a constructor.'),
  page('zh', '安装', '使用React组件之前，请先安装命令行工具。'),
  page('ko', '시작', '서버에 설치하는 방법을 설명합니다.'),
  page('ru', 'Установка', 'Ещё раз о настройке сервера.'),
  page('ar', 'الوثائق', 'تُثبَّت الأداة بأمر واحد'),
  page('fr', 'Démarrage', 'Le résumé est là.'),
];

test('the introduction of a page whose title is the query ranks before a section that repeats the words', async () => {
  const { index } = await open([
    page(
      'collections',
      'Content collections',
      'Content collections keep sets of content together, checked by a schema: a collection has a name and a folder.',
      {
        'Where content of a collection may lie': 'Content lies in a folder, or comes from a loader.',
      },
    ),
    page('images', 'Images', 'Pictures of all sizes.'),
    page('routes', 'Routes', 'Each file is a route.', { Parameters: 'A name in brackets.' }),
    page('styles', 'Styles', 'Colours and sizes.'),
  ]);
  expect((await index.search('content collections'))[0]?.id).toBe('collections');
});

describe('a search', async () => {
  const { index } = await open(manual);
  test.each([
    ['a word of a title', 'installing', 'install'],
    ['a word of the text', 'repository', 'install#from-source'],
    ['a plural for the singular', 'repositories', 'install#from-source'],
    ['a word begun', 'reposit', 'install#from-source'],
    ['a wrong letter', 'repositury', 'install#from-source'],
    ['a letter too few', 'comand', 'install#npm'],
    ['a dotted name', 'tasks.batchTrigger', 'tasks#trigger-many'],
    ['part of a name in camel case', 'effect', 'state'],
    ['a name in camel case begun', 'useEff', 'state'],
    ['part of a name in snake case', 'retry', 'state'],
    ['nothing but a stop word that is a title', 'for', 'for'],
    ['a word that every object knows', 'constructor', 'classes'],
    ['Chinese inside a clause', '命令行', 'zh'],
    ['one Chinese character', '安', 'zh'],
    ['Latin letters between Chinese', 'react', 'zh'],
    ['a Korean noun without its particle', '설치', 'ko'],
    ['Korean in decomposed form', '설치'.normalize('NFD'), 'ko'],
    ['Cyrillic without the dots', 'еще', 'ru'],
    ['Arabic without article and vowel signs', 'وثائق', 'ar'],
    ['Arabic vowel signs left out', 'تثبت', 'ar'],
    ['a word without its accents', 'resume', 'fr'],
    ['a word with combining accents', 'Démarrage'.normalize('NFD'), 'fr'],
    ['full width letters', 'ｕｓｅＥｆｆｅｃｔ', 'state'],
  ])('finds %s', async (_, query, id) => {
    expect((await index.search(query))[0]?.id).toBe(id);
  });

  test.each(['', '   ', '$?', '__proto__', 'toString', 'xyzzyq', 'a'.repeat(500), '\ud800', '%', '</script>'])(
    'finds nothing for %j',
    async (query) => {
      expect(await index.search(query)).toEqual([]);
    },
  );

  test('returns id, page, title, headings, number and matched terms', async () => {
    expect(await index.search('clon', { limit: 1 })).toEqual([
      {
        id: 'install#from-source',
        page: 'install',
        title: 'Installing',
        headings: ['From source'],
        section: 3,
        score: expect.any(Number),
        terms: ['clone'],
        matches: 1,
      },
    ]);
  });
});

test('pages with a boost rank higher', async () => {
  const twins = [page('a', 'One', 'lantern'), page('b', 'Two', 'lantern', {}, { boost: 2 })];
  const { index } = await open(twins);
  const [first, second] = await index.search('lantern');
  expect(first!.page).toBe('b');
  expect(first!.score).toBeCloseTo(second!.score * 2, 6);
});

test('equal scores are in the order of the pages', async () => {
  const { index } = await open([page('b', 'One', 'lantern'), page('a', 'Two', 'lantern'), page('c', 'Ten', 'lantern')]);
  expect((await index.search('lantern')).map(({ page }) => page)).toEqual(['b', 'a', 'c']);
});

test('of more equal sections than there are results, the first pages are found, in their order', async () => {
  const ids = Array.from({ length: 450 }, (_, number) => `page-${number}`);
  // The words alternate, so the sections with the first word are not all before those with the second.
  const { index } = await open(ids.map((id, number) => page(id, 'Same', number % 2 === 0 ? 'lantern' : 'candle')));
  for (const query of ['lantern candle', 'candle lantern'])
    expect((await index.search(query, { limit: 100 })).map(({ id }) => id)).toEqual(ids.slice(0, 100));
});

test('a section with more of the words ranks before one that repeats a single word', async () => {
  const { index } = await open([
    page('repeats', 'One', 'Kelp kelp kelp.'),
    page('both', 'Two', 'Kelp and tides, and much more that is not in the query.'),
    page('other', 'Three', 'Gulls.'),
  ]);
  expect((await index.search('kelp tides')).map(({ id }) => id)).toEqual(['both', 'repeats']);
});

test('of equal sections, those of the page with the most good sections rank first', async () => {
  const text = 'The lantern is lit.';
  const { index } = await open([
    page('one', 'First', text, { Empty: 'Nothing.', Void: 'Nothing.' }),
    page('two', 'Second', text, { Again: text, Void: 'Nothing.' }),
    page('three', 'Third', text, { Again: text, Afresh: text }),
  ]);
  expect(groupByPage(await index.search('lantern')).map(({ page }) => page)).toEqual(['three', 'two', 'one']);
});

test('only a title with all words lets its page rank before one with the words in its text', async () => {
  const text = 'Moss grows on slate. Moss on slate, slate under moss.';
  const { index } = await open([
    page('text', 'Walls', text),
    page('partly', 'Moss', 'A plant.'),
    page('title', 'Moss on slate', 'A wall.'),
    page('other', 'Ferns', 'In the shade.'),
  ]);
  expect((await index.search('moss slate')).map(({ id }) => id)).toEqual(['title', 'text', 'partly']);
});

test('a title with one of two words does not let its page rank before one with both words in its text', async () => {
  const { index } = await open([
    page('text', 'Walls', 'Moss grows on slate.'),
    page('partly', 'Moss', 'It is a plant that grows on slate and on other stones of a wall.'),
    page('other', 'Ferns', 'In the shade.'),
    ...Array.from({ length: 6 }, (_, kind) => page(`kind-${kind}`, `Moss of kind ${kind}`, 'A plant.')),
  ]);
  expect((await index.search('moss slate')).map(({ id }) => id).slice(0, 2)).toEqual(['text', 'partly']);
});

test('a page that mentions a word in three sections does not rank before one that is about it', async () => {
  const mention = 'A lantern hangs there.';
  const { index } = await open([
    page('about', 'First', 'Lantern and lantern.'),
    page('mentions', 'Second', mention, { Again: mention, Afresh: mention }),
    page('other', 'Third', 'Nothing.'),
    page('void', 'Fourth', 'Nothing at all.'),
  ]);
  expect((await index.search('lantern')).map(({ id }) => id)).toEqual(['about', 'mentions', 'mentions#again', 'mentions#afresh']);
});

test('a title without the words counts neither for nor against its page, however short it is', async () => {
  const { index } = await open([
    page('brief', 'Walls', 'Moss grows on slate.'),
    page('long', 'What grows where no one has ever looked', 'Moss grows on slate.', {}, { boost: 1.1 }),
    page('other', 'Ferns', 'In the shade.'),
  ]);
  expect((await index.search('moss slate')).map(({ id }) => id)).toEqual(['long', 'brief']);
});

test('the page whose title is the query ranks before pages that mention it', async () => {
  const { index } = await open([
    page('a', 'Notes', 'deploy deploy deploy', { Deploy: 'deploy' }),
    page('b', 'Deploy', 'How it works.'),
    page('c', 'Deploy to a distant server', 'deploy'),
  ]);
  expect((await index.search('deploy'))[0]!.id).toBe('b');
});

test('a question finds the section with all of its words, not the one that repeats its rarest word', async () => {
  const { index } = await open([
    page('noise', 'Upgrade', 'upgrade '.repeat(3), { More: 'An upgrade is an upgrade, upgrade.' }),
    page('server', 'Running', 'About the server.', {
      Again: 'After the upgrade the server hangs at start: restart the server with a clean cache.',
    }),
    ...Array.from({ length: 30 }, (_, i) =>
      page(`p${i}`, `Page ${i}`, 'The server has a cache. Start and restart it as you like.'),
    ),
  ]);
  expect((await index.search('Why does the server hang at start after an upgrade, and how do I restart it?'))[0]!.id).toBe(
    'server#again',
  );
});

test('results are grouped by page, in the order of the best section of each page', () => {
  const results = [
    { page: 'b', title: 'B', id: 'b#1' },
    { page: 'a', title: 'A', id: 'a' },
    { page: 'b', title: 'B', id: 'b' },
  ];
  expect(groupByPage(results)).toEqual([
    { page: 'b', title: 'B', results: [results[0], results[2]] },
    { page: 'a', title: 'A', results: [results[1]] },
  ]);
});

test('with a number for each page, other pages come before the rest of a page, which can be asked for', async () => {
  const sections = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`Lantern ${name}`, 'A lantern, and a lantern.']));
  const { index } = await open([
    page('lamps', 'Lanterns', 'All lanterns.', sections),
    page('tides', 'Tides', 'One lantern in a lot of water.'),
  ]);
  const pages = async (scope: object) => (await index.search('lantern', scope)).map(({ page }) => page);
  expect(await pages({})).toEqual([...Array<string>(5).fill('lamps'), 'tides']);
  expect(await pages({ perPage: 2 })).toEqual(['lamps', 'lamps', 'tides', 'lamps', 'lamps', 'lamps']);
  const [first] = await index.search('lantern', { perPage: 2 });
  expect(first?.matches).toBe(5);
  expect(await pages({ sameAs: first!.section })).toEqual(Array(5).fill('lamps'));
  expect(await index.count('lantern')).toBe(6);
  expect(await index.count('')).toBe(0);
});

test.each([
  ['hurricanne lamp', []],
  ['kubrnetis', ['Kubernetes']],
  ['lntrrn', ['lantern']],
  ['xyzzyq', []],
  ['', []],
  ['灯塔', []],
])('words close to %j are %j', async (query, expected) => {
  const { index } = await open([page('a', 'Kubernetes', 'It runs there with a lantern.'), page('b', 'Tides', 'Water.')]);
  expect(await index.nearest(query)).toEqual(expected);
});

test('an excerpt of a heading without text is from the section below, and keeps cells apart', async () => {
  const nested = page('a', 'Lamps', '', { Options: '', Oil: 'Name\tUse\nwhale\tlight' });
  nested.sections[2]!.headings = ['Options', 'Oil'];
  const { index } = await open([nested]);
  const excerpts = async (query: string) => {
    const [result] = await index.search(query, { limit: 1 });
    return (await index.excerpts([result!]))[0]?.text;
  };
  expect(await excerpts('options')).toBe('Oil · Name · Use · whale · light');
  expect(await excerpts('whale')).toBe('Name · Use · whale · light');
});

test.each([
  ['lantren', 'lantern'],
  ['light a Lantren, please', 'light a lantern, please'],
  ['lanterns', undefined],
  ['lant', undefined],
  ['zzzz', undefined],
  ['lantren zzzz', 'lantern zzzz'],
  ['a-lantren', 'a-lantern'],
])('the results of %j are those of %j', async (query, expected) => {
  const { index } = await open([page('a', 'Lamps', 'Light a lantern here, or many lanterns.'), page('b', 'Tides', 'Water.')]);
  const [first] = await index.search(query);
  expect(await index.corrected(query, first ?? { terms: [] })).toBe(expected);
});

test.each([
  ['/channels/{id}/messages', 'list'],
  ['GET /channels/{id}/messages', 'list'],
  ['/channels/{id}/messages/pins', 'pins'],
  ['--ref', 'ref'],
  ['modelTools', 'option'],
])('%s is found before what begins with it or has its words', async (query, expected) => {
  const { index } = await open([
    page('pins', 'Pins of messages', 'GET /channels/ {id} /messages/pins', { Pins: 'GET /channels/{id}/messages/pins' }),
    page('list', 'Messages', 'What a channel has said, in the order of time. GET /channels/ {id} /messages'),
    page('refresh', 'Refresh', 'With --refresh it is fetched again.', { '--refresh': 'A refresh.' }),
    page('ref', 'Branches', 'A branch is named by --ref and the name of it.'),
    page('model', 'Models', 'A model.', { Tools: 'Tools of a model.' }),
    page('option', 'Options', 'The option modelTools is true if there are to be some.'),
  ]);
  expect((await index.search(query))[0]?.page).toBe(expected);
});

test('an excerpt keeps lines apart, and of an operation it is of its text', async () => {
  const lines = page('a', 'Lamps', 'Oil\nA lamp burns.\nWick:\ncotton');
  const operation = { ...page('b', 'Light it', 'POST\nLights a lamp\nPOST /lamps'), tag: 'POST', trail: 'API › Lamps' };
  operation.sections[0]!.code = "fetch('https://lamps.example')";
  const { index } = await open([lines, operation]);
  const [burns] = await index.excerpts(await index.search('burns'));
  expect(burns?.text).toBe('Oil · A lamp burns. Wick: cotton');
  const found = await index.search('fetch');
  expect(found).toMatchObject([{ id: 'b', tag: 'POST', trail: 'API › Lamps' }]);
  expect((await index.excerpts(found))[0]?.text).toBe('Lights a lamp · POST /lamps');
});

test('sections have their texts, also on pages with several files', async () => {
  const long = page(
    'long',
    'Long',
    'first',
    Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`Part ${i}`, `marker${i} ${'word '.repeat(300)}`])),
  );
  const { index } = await open([manual[1]!, long, manual[2]!]);
  const [found] = await index.search('marker149');
  expect(found!.id).toBe('long#part-149');
  expect(await index.sections([found!.section, 0, found!.section + 1])).toMatchObject([
    { id: 'long#part-149', text: expect.stringMatching(/^marker149 word/) },
    { id: 'install', text: 'Put the program on your machine.' },
    { id: 'tasks', title: 'Background work', text: 'Work that goes on behind.' },
  ]);
});

test('an excerpt is of the code if only the code matches', async () => {
  const coded = page('a', 'One', 'Nothing of it here.');
  coded.sections[0]!.code = 'npm run lantern -- --now';
  const { index } = await open([coded]);
  expect(await index.excerpts(await index.search('lantern'))).toEqual([{ text: 'npm run lantern -- --now', marks: [[8, 15]] }]);
});

const names = ['client.run', 'Client.Run()', '--no-cache', 'use @scope/name', 'AB-1042', 'client.ru', 'batchTrigger'];

test.each([
  ...names,
  'batchTriger',
  'batchTrig',
  'max_retries',
  'MAX_RETRYS',
  'no-store',
  'no-sto',
  'No-Store',
  'client.rnu',
  'no-stroe',
  '--no-cahce',
])('sections with exactly %s come first, then those with its words', async (query) => {
  const words = (text: string) =>
    `${text} Client, client. Run, run. No cache here. The scope has a name. AB and 1042. Batch, trigger, max, retries, store.`;
  const pages = [
    page('words', 'Words', words(''), {
      'Client, run': words(''),
      Cache: words(''),
      'The scope of a name': words(''),
      'Batch trigger': words(''),
    }),
    page('usage', 'Usage', 'Long words before it. '.repeat(30)),
  ];
  pages[1]!.sections[0]!.code = 'client.run() --no-cache @scope/name AB-1042 batchTrigger(max_retries) no-store';
  const { index } = await open(pages);
  const results = await index.search(query);
  expect(results[0]?.page).toBe('usage');
  expect(results.length).toBeGreaterThan(1);
});

const errors = ['the worker lost its job', 'a job lost the worker', 'its lost worker has a job'];

test.each([
  'TypeError: the worker lost its job',
  '2026-11-29T21:50:57.123Z ERROR [job-7] (pid 4312): the worker lost its job',
  'Nov 29 21:50:57 host job[99]: the worker   lost its job at 0x7ffe12ab',
  'log("the worker lost its job");',
  `TypeError: the worker lost its job\n${'    at run (/srv/app/job.js:10:7)\n'.repeat(20)}`,
])('a pasted line finds the section with its words in their order: %s', async (line) => {
  const { index } = await open(
    errors.toReversed().map((text, i) => page(`error-${i}`, `Job ${i}`, `It says: ${text}, job lost.`)),
  );
  expect((await index.search(line))[0]?.page).toBe('error-2');
  expect((await index.search(line)).length).toBe(3);
});

test('a pasted line is neither completed nor corrected, so that what is not in the docs loads no dictionary', async () => {
  const { index, loaded } = await open([page('jobs', 'Jobs', 'The worker lost its job 4313.')]);
  const [found] = await index.search('ERROR: worker 4312 lost its jo');
  expect(found?.terms.toSorted()).toEqual(['lost', 'worker']);
  expect(loaded.filter((name) => name.startsWith('dict'))).toEqual([]);
});

test.each([
  ['the title', 'Ship and run'],
  ['the title in another case', 'ship AND run'],
  ['the title with a typo', 'shipp and run'],
])('the page whose title is the query comes before a section with that heading: %s', async (_, query) => {
  const { index } = await open([
    page('all', 'Ship', 'All of it.', { 'Ship and run': 'Ship and run, run and ship. '.repeat(2) }),
    page('one', 'Ship and run', 'Begins here.'),
    page('more', 'Ship and run it well', 'Ship and run.'),
    ...Array.from({ length: 20 }, (_, i) => page(`other-${i}`, `Other ${i}`, 'Neither.')),
  ]);
  expect((await index.search(query))[0]?.id).toBe('one');
});

test.each([
  ['one character', 'x'],
  ['punctuation', '"({[;:]})" \\ $? … —'],
  ['emoji', '🎉🎉 👩‍👩‍👧 ❤️'],
  ['100 kB of one word', 'a'.repeat(100_000)],
  ['100 kB of words', 'lamp '.repeat(20_000)],
  ['100 kB of brackets', '({['.repeat(33_000)],
  ['a minified line', 'var a=b.c(d),e=function(f){return f.g};'.repeat(2500)],
  ['a name in no page', 'quxFrobnicate_zork'],
  ['half a surrogate pair', '\ud83d lamp'],
])('a query of %s is answered in less than a second', async (_, query) => {
  const { index } = await open([page('lamp', 'Lamp', 'A lamp is lit.', { '🎉 Emoji': 'x' })]);
  // Time of this thread: others may have work at the same moment.
  const before = process.threadCpuUsage();
  await index.search(query);
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});

test.each([
  ['names among letters from right to left', 'كيف أستخدم batchTrigger في الخادم', 'ar'],
  ['scripts without spaces', '使用batchTrigger命令', 'zh'],
])('a query of mixed scripts finds its page: %s', async (_, query, path) => {
  const { index } = await open([
    page('en', 'Other', 'batchTrigger and batchTrigger, again.'),
    page('ar', 'الخادم', 'استخدم batchTrigger في الخادم'),
    page('zh', '命令', '使用 batchTrigger 命令'),
  ]);
  expect((await index.search(query))[0]?.page).toBe(path);
});

test('a page or section named by the words of a compound is found as its description', async () => {
  const pages = [
    page('animated', 'Animated', 'Values over time.', { Parallel: 'Starts all at once.' }),
    page('mentions', 'Other', 'Parallel and animated are words. '.repeat(3), {
      More: 'See animated.parallel and again animated.parallel.',
    }),
    page('lists', 'Lists', 'Neither.'),
  ];
  const { index } = await open(pages);
  const found = (await index.search('animated.parallel')).slice(0, 2).map(({ id }) => id);
  expect(found.toSorted()).toEqual(['animated#parallel', 'mentions#more']);
});

test('a query loads only the files that it needs, each once, in few rounds', async () => {
  const { index, loaded } = await open(generatedPages(300));
  expect(loaded).toEqual(['meta']);
  await index.search('hasOwnProperty');
  expect(loaded.filter((name) => name.startsWith('t')).length).toBeLessThan(8);
  const dictionary = () => loaded.filter((name) => name.startsWith('dict'));
  expect(dictionary()).toEqual([]);
  await index.search('hasOwnPropertie');
  // That of the word and that of its last part.
  expect(dictionary()).toHaveLength(2);
  expect(new Set(loaded).size).toBe(loaded.length);
});

test('a section that the query names, with its page or alone, comes before the page and sections that have the words', async () => {
  const { index } = await open([
    page('session', 'Session', 'A session has cookies. '.repeat(3), {
      clear: 'Empties it.',
      'clear cache of the session now': 'Session clear.',
    }),
    page('cookies', 'Cookies', 'Clear the session. Clear each session again.', { Session: 'Clear it.' }),
    page('limits', 'Limits of memory', 'Limits of memory, limits everywhere.', { Other: 'Memory limits. Memory limits.' }),
    page('guide', 'Guide', 'A guide.', { 'Memory limits': 'None.' }),
  ]);
  expect((await index.search('session clear'))[0]?.id).toBe('session#clear');
  expect((await index.search('memory limits'))[0]?.id).toBe('guide#memory-limits');
});

test('only a search that must load files waits for what comes before loading', async () => {
  const { index, loaded } = await open(generatedPages(300));
  const waited: number[] = [];
  const search = (query: string) => index.search(query, { beforeLoading: async () => void waited.push(loaded.length) });
  const found = await search('hasOwnPropertie');
  expect(found.length).toBeGreaterThan(0);
  // Once, although it loads terms, words and tables one after another.
  expect(waited).toEqual([1]);
  const count = loaded.length;
  expect(await search('hasOwnPropertie')).toEqual(found);
  expect(waited).toEqual([1]);
  expect(loaded).toHaveLength(count);
  await search('quetzalcoatlus');
  expect(waited).toEqual([1, count]);
});

test('an index without pages finds nothing', async () => {
  const { index } = await open([]);
  expect(index.sectionCount).toBe(0);
  expect(await index.search('anything')).toEqual([]);
});

test('an index of another format is refused with a hint', async () => {
  const load = async () => shardText(shardScript(JSON.stringify({ format: 99 })));
  await expect(openIndex({ load })).rejects.toThrow('format 99, but this reader supports formats 1 and 2. Export the site again');
});

test('a wrong first letter is corrected where no term with it is similar', async () => {
  const { index, loaded, load } = await open([
    ...generatedPages(300),
    page('install', 'Install', 'Zebra.'),
    page('wall', 'Wall', 'Xylophone. Yylophonist.'),
  ]);
  expect((await index.search('snstall')).map(({ page }) => page)).toEqual(['install']);
  const names = loaded.filter((name) => name.startsWith('dict'));
  expect(names.length).toBeGreaterThan(3);
  expect(new Set(names).size).toBe(names.length);
  const again = await openIndex({ load });
  expect((await again.search('xylophome')).map(({ page }) => page)).toEqual(['wall']);
});

test('an index of format 1, with one dictionary, finds the same', async () => {
  const pages = generatedPages(100);
  const { index, load } = await open(pages);
  const meta = JSON.parse(await load('meta'));
  const names = Array.from({ length: meta.dictionary.length }, (_, number) => `dict${number}`);
  expect(names.length).toBeGreaterThan(3);
  const dict = (await Promise.all(names.map(load))).join(' ');
  const before = JSON.stringify({ ...meta, format: 1, dictionary: undefined });
  const old = await openIndex({ load: async (name) => (name === 'meta' ? before : name === 'dict' ? dict : load(name)) });
  expect((await index.search('hasOwnPropertie')).length).toBeGreaterThan(0);
  for (const query of ['hasOwnPropertie', 'xasOwnProperty', ...generatedQueries(50, pages)]) {
    const found = await index.search(query);
    expect(await old.search(query), query).toEqual(found);
  }
});

test('a file that could not be loaded is loaded again by the next query', async () => {
  const { load } = await open(manual);
  let broken = true;
  const index = await openIndex({ load: (name) => (name === 't0' && broken ? Promise.reject(new Error('gone')) : load(name)) });
  await expect(index.search('repository')).rejects.toThrow('gone');
  broken = false;
  expect((await index.search('repository'))[0]?.id).toBe('install#from-source');
});

// Two seconds of work, but on machines that do ten other things at the same time.
test('shards give the same sections and scores as a whole index for 1,000 queries', async () => {
  const pages = generatedPages(300);
  const whole = wholeIndex(pages);
  const queries = generatedQueries(1000, pages);
  const sorted = (found: { section: number; terms: string[] }[]) =>
    found.map(({ section, terms }) => `${section}: ${terms.toSorted().join(' ')}`).join('\n');
  const { load } = await open(pages);
  let index = await openIndex({ load });
  let found = 0;
  const different: string[] = [];
  for (const [i, query] of queries.entries()) {
    // A half-loaded index must not answer differently from an empty or a full one.
    if (i % 50 === 0) index = await openIndex({ load });
    const results = await index.search(query, { limit: 100 });
    const expected = await whole.search(query);
    const close = results.every(({ score }, place) => Math.abs(score - expected[place]!.score) < 1e-7);
    if (sorted(results) !== sorted(expected) || !close) different.push(query);
    if (results.length > 0) found++;
  }
  expect(different).toEqual([]);
  expect(found).toBeGreaterThan(700);
});
