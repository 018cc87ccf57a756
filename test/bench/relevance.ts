/**
 * How well search ranks: the texts of links inside a folder of Markdown are the queries, the pages they lead to the answers.
 * Compares the configuration of `integration/search` with MiniSearch's defaults and with VitePress's settings of MiniSearch.
 *
 *     node test/bench/relevance.ts FOLDER [/PREFIX/]
 *
 * A page that holds the same link is left out of the ranking, since it has the query word for word. MRR@10 counts pages.
 */
import MiniSearch from 'minisearch';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import { openIndex } from '../../integration/search/index.ts';
import { fieldTexts, shownPerPage } from '../../integration/search/index-options.ts';
import { shardText } from '../../integration/search/shards.ts';
import { randomNumbers } from '../support/generated-pages.ts';
import { markdownPages, type TextLink } from './markdown-pages.ts';

const [folder, prefix] = process.argv.slice(2);
if (!folder) throw new Error('Specify a folder of Markdown: node test/bench/relevance.ts FOLDER [/PREFIX/]');
const { pages, links } = markdownPages(folder, prefix);
const sections = pages.flatMap((page) => page.sections);
const queries = judged(links).slice(0, 250);

const builder = createIndexBuilder();
for (const page of pages) builder.addPage(page);
const files = builder.finish();
const index = await openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
const plain = new MiniSearch({ fields: ['title', 'heading', 'text', 'code'] });
plain.addAll(sections.map((section, id) => ({ ...fieldTexts(section), id })));
const vitePress = new MiniSearch({
  fields: ['title', 'titles', 'text'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});
vitePress.addAll(
  sections.map(({ title, headings, text, code }, id) => {
    const path = [title, ...headings];
    return { id, title: path.at(-1)!, titles: path.slice(0, -1), text: `${text}\n${code}` };
  }),
);

type Engine = (query: string) => Promise<{ page: string; id: string }[]>;
const engines: Record<string, Engine> = {
  Carrel: (query) => index.search(query, { limit: 100, perPage: shownPerPage }),
  'MiniSearch default': async (query) => firstOf(plain, query),
  "VitePress's settings": async (query) => firstOf(vitePress, query),
};
const random = randomNumbers(5);
const kinds = {
  'as written': queries,
  misspelt: queries.map((query) => ({ ...query, text: misspelt(query.text) })),
  'dotted names': identifiers(/(?<![\w.@/-])[A-Za-z]\w+(?:\.[A-Za-z]\w+)+(?![\w/-])/g),
  'flags, packages and paths': identifiers(/(?<![\w.@/-])(?:--[a-z][\w-]+|@?[a-z][\w-]*(?:\/[a-z][\w-]*)+)(?![\w./-])/gi),
};

console.log(`${pages.length} pages, ${sections.length} sections, ${links.length} links, ${queries.length} queries`);
for (const [name, engine] of Object.entries(engines)) {
  for (const [kind, asked] of Object.entries(kinds)) {
    let pageSum = 0;
    let sectionSum = 0;
    let inFive = 0;
    let first = 0;
    let shown = 0;
    for (const query of asked) {
      const results = (await engine(query.text)).filter(({ page }) => query.pages.has(page) || !query.linking.has(page));
      const rank = 1 + [...new Set(results.map(({ page }) => page))].slice(0, 10).findIndex((page) => query.pages.has(page));
      if (rank > 0) pageSum += 1 / rank;
      if (rank > 0 && rank <= 5) inFive++;
      if (rank === 1) first++;
      if (results.slice(0, 10).some(({ page }) => query.pages.has(page))) shown++;
      const place = 1 + results.slice(0, 10).findIndex(({ id }) => query.sections.has(id));
      if (place > 0) sectionSum += 1 / place;
    }
    const deep = asked.filter((query) => query.sections.size > 0).length;
    console.log(
      `${name}, ${kind} (${asked.length}): page MRR ${(pageSum / asked.length).toFixed(3)}, first ${(first / asked.length).toFixed(2)}, ` +
        `in the first five ${((100 * inFive) / asked.length).toFixed(0)} %, in the first ten results ${((100 * shown) / asked.length).toFixed(1)} %` +
        (deep > 0 ? `, section MRR ${(sectionSum / deep).toFixed(3)} (${deep})` : ''),
    );
  }
}

function firstOf(engine: MiniSearch, query: string) {
  const found = engine.search(query).slice(0, 100);
  return found.map(({ id }) => sections[id as number]!);
}

interface Judged {
  text: string;
  pages: Set<string>;
  sections: Set<string>;
  linking: Set<string>;
}

/** Link texts that say something, each with all its targets, in an order that is random and always the same. */
function judged(links: TextLink[]): Judged[] {
  const groups = new Map<string, Judged>();
  for (const { text, from, page, section } of links) {
    const key = text.toLowerCase();
    if (
      !/^[^\\{}]{3,80}$/.test(text) ||
      /https?:|^(here|this|see also|docs|learn more|guide|example|overview|reference|api|next|details)$/i.test(text)
    )
      continue;
    if (text.split(' ').length > 9 || /^[a-z]{1,3}$/i.test(text) || section === from) continue;
    const group = groups.get(key) ?? { text, pages: new Set(), sections: new Set(), linking: new Set() };
    groups.set(key, group);
    group.pages.add(page);
    if (section) group.sections.add(section);
    group.linking.add(from.split('#')[0]!);
  }
  const random = randomNumbers(7);
  return [...groups.values()]
    .filter((group) => group.pages.size <= 3)
    .map((group) => ({ group, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => group);
}

/** Names of code as a reader copies them, each on at most two pages, which are its answers; at most 120 of them. */
function identifiers(pattern: RegExp): Judged[] {
  const found = new Map<string, Set<string>>();
  for (const { page, ...texts } of sections)
    for (const [name] of Object.values(fieldTexts({ page, ...texts }))
      .join('\n')
      .matchAll(pattern))
      (found.get(name) ?? found.set(name, new Set()).get(name)!).add(page);
  const random = randomNumbers(11);
  return [...found]
    .filter(([name, pages]) => pages.size <= 2 && name.length <= 40)
    .map(([text, pages]) => ({ text, pages, sections: new Set<string>(), linking: new Set<string>(), place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, 120);
}

/** The longest word with one letter left out, doubled, changed or swapped with the next; never the first letter. */
function misspelt(query: string): string {
  const word = (query.match(/[a-z]{5,}/gi) ?? []).sort((a, b) => b.length - a.length)[0];
  if (!word) return query;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  const kinds = [
    before + after,
    before + letter + letter + after,
    `${before}${letter === 'e' ? 'a' : 'e'}${after}`,
    before + after[0]! + letter + after.slice(1),
  ];
  return query.replace(word, kinds[Math.floor(random() * 4)]!);
}
