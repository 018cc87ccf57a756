// Docs with questions whose answers are known: from a file, or headings that are questions.
import { mkdtemp, stat } from 'node:fs/promises';
import path from 'node:path';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import type { Section } from '../../integration/search/index-options.ts';
import { groupByPage, openIndex, type SearchIndex } from '../../integration/search/index.ts';
import { shardText } from '../../integration/search/shards.ts';
import type { DocsIndex, SiteDocs } from '../../server/active-exports/site-docs.ts';
import { readQuestions, type ExpectedAnswer } from '../../src/cli/evaluation.ts';
import { openExportedDocs } from '../../src/cli/exported-docs.ts';
import { UsageError } from '../../src/cli/usage.ts';
import { measure } from './measure.ts';

export interface JudgedCorpus {
  name: string;
  /** The whole docs, as the assistant opens them. */
  docs: SiteDocs;
  /** Questions by the index that is asked: one for each language and docs version. */
  parts: { found: DocsIndex; sections: Section[]; questions: ExpectedAnswer[] }[];
}

const repository = path.resolve(import.meta.dirname, '../..');

/**
 * Opens an export, or exports a docs folder (also of plain Markdown) first. Without files of questions, the questions are the headings
 * such as "Why does my pod restart?", which are removed, so that only the text below them can be found.
 */
export async function openCorpus(folder: string, files: string[], scratch: string): Promise<JudgedCorpus> {
  const name = path.basename(folder);
  const isExport = await stat(path.join(folder, 'carrel.json')).then(
    () => true,
    () => false,
  );
  if (isExport) return judged(name, folder, files);
  const site = path.join(await mkdtemp(path.join(scratch, 'corpus-')), 'site');
  await measure(process.execPath, ['src/cli/carrel.ts', 'export', folder, '--out', site], { cwd: repository });
  return judged(name, site, files);
}

async function judged(name: string, site: string, files: string[]): Promise<JudgedCorpus> {
  const { docs, index: indexOf } = await openExportedDocs({ site });
  if (files.length === 0) return withHeadingQuestions(name, docs, await indexOf({}));
  const parts = new Map<SearchIndex, JudgedCorpus['parts'][number]>();
  for (const question of (await Promise.all(files.map(readQuestions))).flat()) {
    const found = await indexOf(question);
    const part = parts.get(found.index) ?? { found, sections: await allSections(found), questions: [] };
    parts.set(found.index, part);
    assertJudged(name, question, part.sections);
    part.questions.push(question);
  }
  return { name, docs, parts: [...parts.values()] };
}

/** A page or a section that the docs do not have would count as never found. */
function assertJudged(name: string, { question, pages, sections }: ExpectedAnswer, known: Section[]): void {
  const unknown = [
    ...pages.filter((page) => !known.some((section) => section.page === page)),
    ...sections.filter((id) => !known.some((section) => section.id === id)),
  ];
  if (unknown.length > 0)
    throw new UsageError(
      `"${question}" expects ${unknown.join(', ')}, which the index of ${name} does not have.`,
      'Correct the question.',
    );
}

async function allSections({ index, language }: DocsIndex): Promise<Section[]> {
  const sections = await index.sections(Array.from({ length: index.sectionCount }, (_, number) => number));
  // Tabs keep the cells of tables apart; MiniSearch's tokenizer takes them for letters.
  return sections.map((section) => ({ ...section, text: section.text.replaceAll('\t', ' '), language }));
}

async function withHeadingQuestions(name: string, docs: SiteDocs, original: DocsIndex): Promise<JudgedCorpus> {
  const { questions, sections } = headingQuestions(await allSections(original));
  if (questions.length === 0)
    throw new UsageError(
      `No heading of ${name} is a question that a section of the docs answers.`,
      'Specify a file: --questions FILE',
    );
  const builder = createIndexBuilder();
  for (const { page, title, results } of groupByPage(sections)) builder.addPage({ page, title, sections: results });
  const written = builder.finish();
  const index = await openIndex({ load: async (file) => shardText(written.get(`${file}.js`)!) });
  const found = { ...original, index, byMeaning: index };
  return { name, docs: { ...docs, index: async () => found }, parts: [{ found, sections, questions }] };
}

/** Questions of at least four words with an answer on at most three pages, and the sections without them. */
export function headingQuestions(all: Section[]): { questions: ExpectedAnswer[]; sections: Section[] } {
  const answers = new Map<string, Section[]>();
  for (const section of all) {
    const heading = section.headings.at(-1) ?? '';
    if (!/(?:\S+\s+){3}\S.*\?$/.test(heading) || section.text.length + section.code.length < 80) continue;
    answers.set(heading, [...(answers.get(heading) ?? []), section]);
  }
  return {
    questions: [...answers]
      .filter(([, sections]) => sections.length <= 3)
      .map(([question, sections]) => ({
        question,
        pages: [...new Set(sections.map(({ page }) => page))],
        sections: sections.map(({ id }) => id),
      })),
    // Also above the sections below: an engine may search the names of parents.
    sections: all.map((section) => ({
      ...section,
      headings: section.headings.map((heading) => (answers.has(heading) ? '' : heading)),
    })),
  };
}
