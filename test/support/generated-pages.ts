import type { SearchPage } from '../../integration/search/analyze.ts';
import type { Section } from '../../integration/search/index-options.ts';

/** Returns numbers in [0, 1) that depend only on the seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // The low bits of such a series repeat soon, so they are mixed with the high ones.
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Generates pages of meaningless documentation: word frequencies of real docs, code, names, and sometimes another script. */
export function generatedPages(count: number, seed = 1): SearchPage[] {
  const random = randomNumbers(seed);
  const vocabulary = words(random);
  // The frequency of the word of rank r is about 1/r, as in any language.
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
  const phrase = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () =>
      random() < 0.35 ? pick(littleWords, random) : word(),
    );
  const sentence = () => {
    const said = phrase(5, 14).join(' ');
    return `${said[0]!.toUpperCase()}${said.slice(1)}${pick(['.', '.', '.', ', see “details”.', '?', ': 1,024.'], random)}`;
  };
  const text = () =>
    Array.from({ length: Math.floor(random() * 7) }, () => (random() < 0.04 ? pick(otherScripts, random) : sentence())).join(' ');
  const code = () =>
    random() < 0.6
      ? ''
      : `import { ${word()} } from '${word()}';\n${word()}.${pick(names, random)}(${word()}, { ${pick(names, random)}: true });`;

  return Array.from({ length: count }, (_, number): SearchPage => {
    const page = `guides/${number % 7}/page-${number}`;
    const title = random() < 0.05 ? pick(otherScripts, random).slice(0, 6) : phrase(1, 4).join(' ');
    const sections: Section[] = [{ id: page, page, title, headings: [], text: text(), code: code(), language: 'en' }];
    for (let i = Math.floor(random() ** 2 * 12); i > 0; i--) {
      const heading = random() < 0.05 ? '$?' : phrase(1, 5).join(' ');
      sections.push({ id: `${page}#s${i}`, page, title, headings: [heading], text: text(), code: code(), language: 'en' });
    }
    return {
      page,
      title,
      ...(number % 40 < 25 && { area: number % 40 < 9 ? 'Guides' : 'API' }),
      sections,
      ...(number % 31 === 5 && { boost: number % 2 ? 2 : 0.5 }),
    };
  });
}

/** Generates queries over the words of the pages: known, unfinished, misspelled, unknown, meaningless, of other scripts. */
export function generatedQueries(count: number, pages: SearchPage[], seed = 2): string[] {
  const random = randomNumbers(seed);
  const section = () => pick(pick(pages, random).sections, random);
  const known = () => pick(section().text.split(' '), random) || pick(names, random);
  const several = (some: () => string) => Array.from({ length: 1 + Math.floor(random() * 3) }, some).join(' ');
  const kinds = [
    () => several(known),
    () => several(known),
    () => section().headings[0] ?? section().title,
    () => `How do I get ${section().text.slice(0, 120)}?`,
    () => `${several(known)} ${known().slice(0, 4)}`,
    () => `${known()} ${misspelt(known(), random)}`,
    () => several(() => misspelt(known(), random)),
    () => pick(otherScripts, random).slice(0, 1 + Math.floor(random() * 6)),
    () => several(() => pick(littleWords, random)),
    () => pick(names, random),
    () => `zq${Math.floor(random() * 1e9).toString(36)} ${known()}`,
    () =>
      pick(
        ['', ' ', '$?', '…', '__proto__', 'constructor', 'toString valueOf', 'c', 'C++', 'a'.repeat(60), '\ud800', '한'],
        random,
      ),
  ];
  return Array.from({ length: count }, () => pick(kinds, random)());
}

function misspelt(word: string, random: () => number): string {
  if (word.length < 5) return word;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kinds = [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}e${word.slice(at)}`,
    `${word.slice(0, at)}k${word.slice(at + 1)}`,
  ];
  return pick(kinds, random);
}

const littleWords = 'the a to of in is and for with you can this that how what on be by from your it as or not when if'.split(
  ' ',
);
const names =
  'useState batchTrigger tasks.batchTrigger max_retry_count __init__ constructor __proto__ hasOwnProperty XMLHttpRequest getURL toString v13'.split(
    ' ',
  );
const otherScripts = [
  '安装命令行工具之后，运行构建命令即可生成静态网站。',
  'このガイドではサーバーの設定ファイルを編集します。',
  '설치하는 방법과 설정 파일을 확인하세요.',
  'การติดตั้งโปรแกรมบนเซิร์ฟเวอร์',
  'Установка и настройка сервера, ещё раз.',
  'تثبيت الخادم وإعداد الوثائق',
  'Größenänderung über die Oberfläche; déjà vu',
  'ការដំឡើង 𠮷野家 で',
];

function words(random: () => number): string[] {
  const starts = 'con pro de re in ex per com sub trans ser con fig in st b d k l m n r t v w pl tr gr'.split(' ');
  const middles = 'fig duc vid ten ver mit ploy port mand mod an er ol ic ar ut el im os un'.split(' ');
  const ends = 'ure ion er ment s ing ed al ies y or es ity e t class le status'.split(' ');
  const made = Array.from({ length: 4000 }, (_, i) =>
    i % 97 === 0
      ? pick(names, random)
      : pick(starts, random) + (random() < 0.7 ? pick(middles, random) : '') + pick(middles, random) + pick(ends, random),
  );
  return [...new Set(made)];
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}
