// The questions to the manual in fixtures/questions, asked of its real export: whether the right page is retrieved, and whether what a
// model cites is where its citation leads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseManifest } from '../../../server/storage/read-manifest.ts';
import { readQuestions } from '../../../src/cli/evaluation.ts';
import { fixtureExports } from '../../support/fixture-exports.ts';
import { activate } from '../../support/indexed-export.ts';
import { domain, openAssistantSite, type AssistantSite } from './assistant-site.ts';
import { openModelServer, textAnswer, type ModelServer } from './model-server.ts';

let folder: string;
let model: ModelServer;
let site: AssistantSite;

beforeAll(async () => {
  folder = join(await fixtureExports(), 'manual');
  model = await openModelServer();
  site = await openAssistantSite([{ path: '', title: 'Before', markdown: 'Before.\n' }]);
  const manifest = parseManifest(readFileSync(join(folder, 'carrel.json'), 'utf8'), 'the manual');
  await activate(site.services, { domain }, { folder, manifest });
  await site.configure({ model: { baseUrl: model.url, model: 'scripted' } });
});
afterAll(() => model.close());

test('five pages hold the right one for nine answerable questions in ten', async () => {
  const missed: string[] = [];
  let first = 0;
  const questions = await answerable();
  for (const { question, pages } of questions) {
    const { sources } = await asked(question);
    const found = [...new Set(sources.toSorted((a, b) => b.score! - a.score!).map(({ id }) => id.replace(/#.*/, '')))];
    expect(found.length).toBeLessThanOrEqual(5);
    if (pages.includes(found[0]!)) first++;
    if (!found.some((page) => pages.includes(page)))
      missed.push(`${question} wanted [${pages.join(', ')}], got [${found.join(', ')}]`);
  }
  expect(missed.length / questions.length, missed.join('\n')).toBeLessThanOrEqual(0.1);
  expect(first / questions.length).toBeGreaterThanOrEqual(0.75);
});

test('every citation of fifty answers links to the section that its page is cited for first, and the page has all cited words', async () => {
  const faults: string[] = [];
  let citations = 0;
  const questions = (await answerable()).slice(0, 50);
  expect(questions).toHaveLength(50);
  for (const { question } of questions) {
    const { text, sources } = await asked(question);
    const cited = new Set<string>();
    for (const [, words = '', number = ''] of text.matchAll(/^- (.*) \[(\d+)\]$/gm)) {
      citations++;
      const source = sources[Number(number) - 1];
      const url = cited.has(number) ? source?.url.replace(/#.*/, '') : source?.url;
      cited.add(number);
      if (url === undefined || !textAt(url).includes(letters(words.replaceAll('&lt;', '<'))))
        faults.push(`${question}: ${source?.url}: ${words}`);
    }
  }
  expect(citations).toBeGreaterThan(150);
  expect(faults).toEqual([]);
});

async function answerable(): Promise<{ question: string; pages: string[] }[]> {
  const files = ['manual', 'manual-held-out'].map((name) =>
    join(import.meta.dirname, `../../../fixtures/questions/${name}.jsonl`),
  );
  const all = (await Promise.all(files.map((file) => readQuestions(file)))).flat();
  return all.filter(({ pages }) => pages.length > 0);
}

const answers = new Map<string, ReturnType<typeof answerTo>>();

function asked(question: string) {
  if (!answers.has(question)) answers.set(question, answerTo(question));
  return answers.get(question)!;
}

/** The model cites some words of each passage that it got, and two that there are not. */
async function answerTo(question: string) {
  model.play(({ body }) => {
    const passages = body.messages.at(-1)!.content.matchAll(/^<passage (\d+) [0-9a-f]+>\nFrom: .*\n([^]*?)\n<\/passage /gm);
    const lines = [...passages].map(([, number, markdown]) => `- ${firstWords(markdown!)} [${number}]`);
    return textAnswer(`${lines.join('\n')}\nNothing says so [77][0].`);
  });
  const answer = await site.ask(question);
  expect(answer.end).toBe('stop by model');
  expect(answer.text).toMatch(/Nothing says so\.$/);
  return answer;
}

/** The first words of a passage that are no code, without marks of Markdown. */
function firstWords(markdown: string): string {
  const plain = markdown
    .replace(/^[ \t>]*(`{3,}|~{3,})[^]*?^[ \t>]*\1.*$/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[[\]`*_|\\#]/g, ' ')
    .replace(/^[ \t>]*(?:(?:\d+\.|[-+]) )?\s*(?:(?:Note|Tip|Info|Warning|Danger):\s)?/gm, '');
  const line = plain.split('\n').find((text) => /\p{L}{3}/u.test(text)) ?? '';
  return line.trim().split(/\s+/).slice(0, 8).join(' ');
}

const pages = new Map<string, string>();

const texts = new Map<string, string>();

/** What a reader sees from an address on, in letters and digits alone. */
function textAt(url: string): string {
  const text = texts.get(url) ?? readText(url);
  texts.set(url, text);
  return text;
}

function readText(url: string): string {
  const [path = '', anchor] = decodeURIComponent(url).slice(1).split('#');
  const html = pages.get(path) ?? readFileSync(join(folder, path, 'index.html'), 'utf8');
  pages.set(path, html);
  const start = anchor === undefined ? html.indexOf('<main') : html.lastIndexOf('<', html.indexOf(` id="${anchor}"`));
  if (start === -1) return '';
  return letters(new JSDOM(html.slice(start), { url: 'https://docs.test/' }).window.document.body.textContent);
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
