// Whole answers by a model, through the code of the assistant, and what a judge, a second call to a model, says about them: whether each
// statement is supported by the page that it cites.
import { randomBytes } from 'node:crypto';
import type { Section } from '../../integration/search/index-options.ts';
import type { SiteDocs } from '../../server/active-exports/site-docs.ts';
import { answerEvents } from '../../server/assistant/answer/answer.ts';
import { ModelFailed } from '../../server/assistant/model/model-outcome.ts';
import type { ToolSupport } from '../../server/assistant/model/tool-support.ts';
import type { Source } from '../../server/assistant/retrieve/sources.ts';
import { modelSchema, type Model } from '../../server/sites/model-settings.ts';
import type { ExpectedAnswer } from '../../src/cli/evaluation.ts';
import { judgment, statementsIn, type Judgment } from './judge.ts';

export interface Answering {
  model: Model;
  /** Judges the answers. */
  judge: Model;
  /** Whether the model may search again and read pages. */
  tools: boolean;
  toolSupport: ToolSupport;
}

/** A model at an OpenAI-compatible URL, which may be in a private network. */
export function modelAt(baseUrl: string, name: string, apiKey: string | undefined): Model {
  const { apiKey: _, headers: __, ...settings } = modelSchema.parse({ baseUrl, model: name, temperature: 0 });
  return { ...settings, ...(apiKey && { apiKey }), headers: {}, trusted: true };
}

/** An answer, and what the judge says about it. */
export interface WholeAnswer extends ExpectedAnswer, Judgment {
  text: string;
  /** Pages cited, in the order of their numbers. */
  cited: string[];
  /** Tokens that the model read and wrote for it, without the judge's. */
  tokens: number;
  /** Why there is no answer or no judgment; nothing else then counts. */
  failure?: string;
}

/** Asks the model as the assistant does, then the judge about the answer. */
export async function wholeAnswer(
  { docs, sections }: { docs: SiteDocs; sections: Section[] },
  expected: ExpectedAnswer,
  { model, judge, tools, toolSupport }: Answering,
): Promise<WholeAnswer> {
  const { question: text, language, docsVersion: version } = expected;
  const sources: Source[] = [];
  let answer = '';
  let failure: string | undefined;
  let isByModel = false;
  let tokens = 0;
  const { signal } = new AbortController();
  const events = answerEvents({
    docs,
    siteUrl: undefined,
    question: { text, turns: [], context: [], files: [], filter: { language, version }, pages: 5 },
    models: [model],
    tools,
    toolSupport,
    allowed: [],
    signal,
    onModelFailure: (_, failed) => (failure = failed.message),
    onToolsRefused: () => undefined,
    onModelEnd: (_, used) => (tokens += used.input + used.output),
    newMark: () => randomBytes(12).toString('hex'),
  });
  for await (const event of events) {
    if (event.type === 'text') answer += event.text;
    else if (event.type === 'source') sources.push(event.source);
    else if (event.type === 'failed') failure ??= event.code;
    else if (event.type === 'end') isByModel = event.by === 'model';
  }
  const cited = sources.map(({ id }) => pageOf(id));
  const unjudged = { ...expected, text: answer, cited, tokens, isRefusal: cited.length === 0, statements: [] };
  if (failure !== undefined) return { ...unjudged, failure };
  // The docs have none of the words, so the model was not asked.
  if (!isByModel) return unjudged;
  const statements = statementsIn(answer);
  try {
    const pages = sources.map((source) => ({ number: source.number, text: textFrom(source, sections) }));
    return { ...unjudged, ...(await judgment(judge, { question: text, statements, pages })) };
  } catch (error) {
    if (error instanceof ModelFailed) return { ...unjudged, failure: `judge: ${error.message}` };
    throw error;
  }
}

/** The values of each figure, 0 to 1, one for each answer that counts. */
export function answerValues(all: WholeAnswer[]) {
  const judged = all.filter(({ failure }) => failure === undefined);
  const answerable = judged.filter(({ pages }) => pages.length > 0);
  const unanswerable = judged.filter(({ pages }) => pages.length === 0);
  const verdicts = judged
    .filter(({ isRefusal }) => !isRefusal)
    .map(({ statements }) => statements.flatMap(({ isSupported }) => isSupported ?? []).map(Number))
    .filter((values) => values.length > 0);
  return {
    citedFirst: answerable.map(({ pages, cited }) => Number(pages.includes(cited[0]!))),
    cited: answerable.map(({ pages, cited }) => Number(cited.some((page) => pages.includes(page)))),
    supported: verdicts.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
    everySupported: verdicts.map((values) => Number(!values.includes(0))),
    wrongRefusals: answerable.map(({ isRefusal }) => Number(isRefusal)),
    rightRefusals: unanswerable.map(({ isRefusal }) => Number(isRefusal)),
  };
}

/** The text of the cited page, from the cited section on, then what is above it. */
function textFrom({ id }: Source, sections: Section[]): string {
  const ofPage = sections.filter(({ page }) => page === pageOf(id));
  const at = Math.max(
    0,
    ofPage.findIndex((section) => section.id === id),
  );
  return [...ofPage.slice(at), ...ofPage.slice(0, at)]
    .map(({ title, headings, text, code }) => [[title, ...headings].join(' > '), text, code].filter(Boolean).join('\n'))
    .join('\n\n');
}

function pageOf(id: string): string {
  return id.replace(/#.*/s, '');
}
