// Search engines that docs use, each over the same sections, with the settings that its documentation or its users give it.
import MiniSearch from 'minisearch';
import { fieldTexts, shownPerPage, type Section } from '../../integration/search/index-options.ts';
import type { SearchIndex } from '../../integration/search/index.ts';
import type { Engine, EngineInput, OpenEngine } from './engine.ts';
import { openPagefind } from './pagefind-engine.ts';

/** How many sections an engine returns. */
const most = 100;

/** Name of each engine as an option has it, and as a table shows it. */
export const engineLabels = {
  carrel: 'Carrel',
  meaning: 'Carrel, by meaning',
  lunr: 'Lunr',
  minisearch: 'MiniSearch, defaults',
  vitepress: 'MiniSearch, VitePress',
  flexsearch: 'FlexSearch',
  orama: 'Orama',
  pagefind: 'Pagefind',
};
export type EngineName = keyof typeof engineLabels;

/** Opens the engines over the sections, passes them on, and closes them. */
export async function withEngines<Result>(
  names: EngineName[],
  input: EngineInput,
  use: (engines: Map<EngineName, Engine>) => Promise<Result>,
): Promise<Result> {
  const opened = new Map<EngineName, Engine>();
  const closing: (() => Promise<void>)[] = [];
  try {
    for (const name of names) {
      const { search, close } = await openers[name](input);
      opened.set(name, search);
      if (close) closing.push(close);
    }
    return await use(opened);
  } finally {
    for (const close of closing) await close();
  }
}

const openers: Record<EngineName, OpenEngine> = {
  carrel: async ({ index }) => ({ search: asReaders(index) }),
  meaning: async ({ byMeaning }) => ({ search: asReaders(byMeaning) }),
  lunr: async ({ sections }) => {
    const { default: lunr } = await import('lunr');
    const index = lunr((builder) => {
      for (const name of ['title', 'heading', 'text', 'code']) builder.field(name);
      sections.forEach((section, number) => builder.add({ ...fieldTexts(section), id: number }));
    });
    // As its parser does, without reading signs such as "-" and ":" as operators.
    const found = (question: string) => index.query((query) => query.term(lunr.tokenizer(question), {}));
    return { search: async (question) => found(question).flatMap(({ ref }) => sections[Number(ref)] ?? []) };
  },
  minisearch: async ({ sections }) => {
    const index = new MiniSearch({ fields: ['title', 'heading', 'text', 'code'] });
    index.addAll(sections.map((section, id) => ({ ...fieldTexts(section), id })));
    return { search: async (question) => bestOf(index.search(question), sections) };
  },
  // https://github.com/vuejs/vitepress/blob/main/src/client/theme-default/components/VPLocalSearchBox.vue
  vitepress: async ({ sections }) => {
    const index = new MiniSearch({
      fields: ['title', 'titles', 'text'],
      searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
    });
    index.addAll(
      sections.map(({ title, headings, text, code }, id) => {
        const titles = [title, ...headings];
        return { id, title: titles.at(-1), titles: titles.slice(0, -1).join(' '), text: `${text}\n${code}` };
      }),
    );
    return { search: async (question) => bestOf(index.search(question), sections) };
  },
  // Without `suggest`, a section must have all words of a question, which hardly any does.
  flexsearch: async ({ sections }) => {
    const { Document } = await import('flexsearch');
    const index = new Document({ tokenize: 'forward', document: { id: 'id', index: ['title', 'heading', 'text', 'code'] } });
    sections.forEach((section, id) => index.add({ ...fieldTexts(section), id }));
    const found = (question: string) => index.search(question, { limit: most, suggest: true, merge: true });
    return { search: async (question) => bestOf(found(question), sections) };
  },
  orama: async ({ sections }) => {
    const { create, insertMultiple, search } = await import('@orama/orama');
    const index = create({ schema: { title: 'string', heading: 'string', text: 'string', code: 'string' } });
    await insertMultiple(
      index,
      sections.map((section, id) => ({ ...fieldTexts(section), id: String(id) })),
    );
    return {
      search: async (question) => {
        const { hits } = await search(index, { term: question, limit: most });
        return bestOf(hits, sections);
      },
    };
  },
  pagefind: openPagefind,
};

/** Searches as the search dialog does. */
function asReaders(index: SearchIndex): Engine {
  return (question) => index.search(question, { limit: most, perPage: shownPerPage });
}

function bestOf(results: { id: unknown }[], sections: Section[]): Section[] {
  return results.slice(0, most).flatMap(({ id }) => sections[Number(id)] ?? []);
}
