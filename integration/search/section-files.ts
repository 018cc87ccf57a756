// The files of the index that describe its sections, and those with their texts.
import type { Corpus } from './corpus.ts';
import { excerpt, type Excerpt } from './excerpt.ts';
import type { Citation } from './index-options.ts';
import { sectionsPerTable, splitTexts, type PageRow, type SectionText } from './shards.ts';

/** A section with its text. */
export interface IndexedSection extends Citation, SectionText {
  /** Tag of its page, such as the method of an operation. */
  tag?: string;
  /** Names of what its page is in: `Guides › Get started`. */
  trail?: string;
  /** Number of the section in the index. */
  section: number;
}

/** `file` loads the text of a file by its name. */
export function sectionFiles(file: (name: string) => Promise<string>, corpus: Corpus) {
  const tables = new Map<string, PageRow[]>();
  const table = async (name: string): Promise<PageRow[]> => {
    const rows = tables.get(name) ?? (JSON.parse(await file(name)) as PageRow[]);
    tables.set(name, rows);
    return rows;
  };
  const tableOf = (section: number) => `d${Math.floor(section / sectionsPerTable)}`;

  const describe = async (number: number) => {
    let first = number - (number % sectionsPerTable);
    for (const [page, title, rows, texts, tag, trail] of await table(tableOf(number))) {
      const [anchor, ...headings] = rows[number - first] ?? [];
      if (anchor !== undefined) {
        const id = anchor ? `${page}#${anchor}` : page;
        return { id, page, title, tag, trail, headings, section: number, texts };
      }
      first += rows.length;
    }
    throw new Error(`There is no section ${number} in the search index.`);
  };

  const sections = (numbers: number[]) =>
    Promise.all(
      numbers.map(async (number): Promise<IndexedSection> => {
        const { texts, ...section } = await describe(number);
        let position = number - corpus.firstOf(corpus.pageOf(number));
        for (const [name, count] of texts) {
          const text = position < count && splitTexts(await file(`x/${name}`))[position];
          if (text) return { ...section, ...text };
          position -= count;
        }
        throw new Error(`The text of "${section.id}" is not in the search index.`);
      }),
    );

  /** The section below a heading without text of its own, which begins with its own heading. */
  const firstBelow = async ({ section, headings }: IndexedSection): Promise<Pick<SectionText, 'text' | 'code'>> => {
    const isLast = corpus.firstOf(corpus.pageOf(section) + 1) === section + 1;
    const [next] = isLast ? [] : await sections([section + 1]);
    if (!next || next.headings.length <= headings.length) return { text: '', code: '' };
    const { text, code } = next.text === '' && next.code === '' ? await firstBelow(next) : next;
    return { text: `${next.headings.at(-1)}\t${text}`, code };
  };

  return {
    /** What a section is called, and where its text is. */
    describe,
    /** Sections with their texts, by number. */
    sections,
    /**
     * For each result, the part of its text, or else of its code, that shows why it was found. For a heading that another heading
     * follows, that of the section below.
     */
    async excerpts(results: { section: number; terms: string[] }[]): Promise<Excerpt[]> {
      const found = await sections(results.map(({ section }) => section));
      return Promise.all(
        results.map(async ({ terms }, i) => {
          const own = found[i]!;
          const { text, code } = own.text === '' && own.code === '' ? await firstBelow(own) : own;
          const fromText = excerpt(withoutTag(text, own.tag).replace(lineEnd, separator), terms, excerptLength);
          // The code of an operation is a request in each language, which says less than its fields.
          if (fromText.marks.length > 0 || (own.tag && text !== '')) return fromText;
          const fromCode = excerpt(code, terms, excerptLength);
          return fromCode.marks.length > 0 || text === '' ? fromCode : fromText;
        }),
      );
    },
    /** Whether a section can be described without loading a file. */
    isLoaded: (section: number): boolean => tables.has(tableOf(section)),
  };
}

/** The first line of an operation is its method, which a result shows beside its title. */
function withoutTag(text: string, tag = ''): string {
  return tag && text.startsWith(`${tag}\n`) ? text.slice(tag.length + 1) : text;
}

// Cells of a table and what follows a heading are separated by tabs in a text, rows and other lines by new lines.
const lineEnd = /\t|(?<=\t[^\n]*)\n(?=[^\n]*\t)|(?<![.!?:;,…·。！？：；、，؟\s])\n/g;
const separator = ' · ';

const excerptLength = 160;
