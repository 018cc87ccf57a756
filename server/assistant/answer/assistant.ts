// The assistant over the active exports of all sites.
import { randomBytes } from 'node:crypto';
import { FileRemoved, createActiveExports, type ActiveExport } from '../../active-exports/active-exports.ts';
import type { AnswerEvent, AnswerReason } from './answer-event.ts';
import { answerEvents, promptFor, type AnswerContext } from './answer.ts';
import type { ModelFailed } from '../model/model-outcome.ts';
import type { ModelRecord } from '../model/model-record.ts';
import { createToolSupport } from '../model/tool-support.ts';
import { modelsOf, pagesAskModel, type Model } from '../../sites/model-settings.ts';
import type { Question } from '../request/question.ts';
import { readSections } from '../retrieve/read-sections.ts';
import { retrieve } from '../retrieve/retrieve.ts';
import type { Limits } from '../../organizations/limits.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { embeddingModelOf, type ServerOptions } from '../../platform/options.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { docsOf, type SiteDocs } from '../../active-exports/site-docs.ts';
import { shownPerPage } from '../../../integration/search/index-options.ts';
import type { Manifest } from '../../../integration/manifest.ts';
import { pagePathOf } from '../../../integration/urls/page-path.ts';
import { createQueryEmbedder } from '../../active-exports/search-vectors.ts';
import type { RegisteredSite } from '../../sites/sites.ts';

/** What was found for a question, for operators only. */
interface Explanation {
  retrieved: { id: string; title: string; score: number }[];
  /** The prompt for the model; absent without a model. */
  prompt?: { instructions: string; messages: { role: string; content: string }[] };
}

interface Search {
  query: string;
  limit: number;
  filter: Question['filter'];
  tag?: string;
}

interface FoundSection {
  id: string;
  page: string;
  title: string;
  headings: string[];
  text: string;
  language: string;
  docsVersion?: string;
  tag?: string;
  score: number;
}

/** An answer that has not begun: its first event is made when it is asked for. */
export interface OpenedAnswer {
  /** Throws on any failure but that of a model. Leaving the iteration, or the signal, ends the call to the model at once. */
  events: AsyncIterable<AnswerEvent>;
  /** The language of the text that the reader gets when the answer fails. */
  language: string | undefined;
  /** What writes the answer, where that is known before it begins: without a model, the docs are quoted. */
  by?: 'quotes';
}

export type Assistant = ReturnType<typeof createAssistant>;

type StoredExports = Parameters<typeof createActiveExports>[0];

export interface AssistantParts extends StoredExports {
  options: ServerOptions;
  /** Keys of models are sealed with it. */
  secrets: Secrets;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics: Pick<Metrics, 'modelFailures' | 'modelTokens'>;
  modelRecord: Pick<ModelRecord, 'failed' | 'answered'>;
  limits: Pick<Limits, 'count'>;
  now: () => number;
}

type Opened = ActiveExport<SiteDocs>;

interface Asking {
  signal: AbortSignal;
  /** Why no model is asked, even if the site has one. */
  whyNone?: AnswerReason;
}

// An open index holds what was read of it: at most all its files, which take a few times their size.
const mostOpened = 16;

/** 96 random bits: no text that was written before the request can contain them. */
const randomMark = () => randomBytes(12).toString('hex');

export function createAssistant(parts: AssistantParts, newMark: () => string = randomMark) {
  const { options, log, metrics, modelRecord, now } = parts;
  const embeddingModel = embeddingModelOf(options);
  const embedder = embeddingModel && createQueryEmbedder(embeddingModel, { log, clock: () => performance.now() });
  const toolSupport = createToolSupport(now);
  const { models, reasonForQuotes, usesTools } = modelsOfSites(parts);
  const active = createActiveExports(parts, {
    most: mostOpened,
    make: (domain, { opened, manifest }) => {
      if (embedder) reportOtherModel(domain, manifest);
      return docsOf(opened, manifest, embedder);
    },
  });

  return {
    /**
     * Answers from what readers of a site see, by its `exportKey`; undefined when the site has no export. Pages of the site (`isOfPage`) that were loaded before its
     * settings turned its model off for them get quotes.
     */
    async answer(
      key: string,
      question: Question,
      signal: AbortSignal,
      { isOfPage = false }: { isOfPage?: boolean } = {},
    ): Promise<OpenedAnswer | undefined> {
      const opened = await active.open(key);
      if (!opened) return undefined;
      const whyNone = await reasonForQuotes(opened.site, isOfPage);
      return {
        events: eventsOf(opened, question, { signal, whyNone }),
        language: question.filter.language ?? opened.made.kinds[0]?.language,
        ...(whyNone && { by: 'quotes' as const }),
      };
    },

    explain: (domain: string, question: Question): Promise<Explanation | undefined> =>
      active.use(domain, async ({ site, made: docs }) => {
        const found = await docs.index(question.filter, question.currentPath);
        const { siteUrl } = site.settings;
        const retrieved = found
          ? await readSections({ docs, found, siteUrl }, await retrieve(found.byMeaning, question, docs.page))
          : [];
        const [model] = models(site);
        const tools = usesTools(site) && model !== undefined && toolSupport.isLikely(model);
        const about = { name: docs.name, guidance: await docs.instructions(), language: found?.language ?? '' };
        const prompt = model && promptFor(model, { ...about, question, retrieved, tools, mark: newMark() });
        return {
          retrieved: retrieved.map(({ id, title, score }) => ({ id, title, score })),
          ...(prompt && { prompt: { instructions: prompt.instructions, messages: prompt.messages } }),
        };
      }),

    /** Sections for the public search: at most `limit`, best first. */
    search: (key: string, wanted: Search): Promise<FoundSection[] | undefined> =>
      active.use(key, ({ made: docs }) => searchSections(docs, wanted)),

    /** The docs in the active export of a site; undefined when the site has none. */
    async docs(domain: string): Promise<{ docs: SiteDocs; siteUrl: string | undefined } | undefined> {
      const opened = await active.open(domain);
      return opened && { docs: opened.made, siteUrl: opened.site.settings.siteUrl };
    },

    /** Markdown of a page; undefined when the page or the export does not exist. */
    page: (key: string, path: string): Promise<string | undefined> =>
      active.use(key, ({ made: docs }) => docs.markdown(pagePathOf(path))),
  };

  async function* eventsOf(opened: Opened, question: Question, asking: Asking): AsyncGenerator<AnswerEvent, void> {
    let hasBegun = false;
    try {
      for await (const event of answerEvents(contextOf(opened, question, asking))) {
        hasBegun ||= event.type !== 'reading';
        yield event;
      }
    } catch (error) {
      // Retention removed the export after it was looked up: once more, on the one that replaced it.
      const wasRemoved = error instanceof FileRemoved && !hasBegun && !asking.signal.aborted;
      const next = wasRemoved ? await active.openNext(opened, error).catch(() => undefined) : undefined;
      if (!next) throw error;
      yield* answerEvents(contextOf(next, question, asking));
    }
  }

  function contextOf({ site, made: docs }: Opened, question: Question, { signal, whyNone }: Asking): AnswerContext {
    const { domain, settings } = site;
    const onModelFailure = (model: Model, failure: ModelFailed) => {
      const { code, detail } = failure;
      log.warn({ domain, model: model.model, code, detail }, 'a model failed');
      metrics.modelFailures.inc({ kind: code });
      void modelRecord.failed(site, model.model, failure);
    };
    const onToolsRefused = (model: Model, { detail }: ModelFailed) =>
      log.warn({ domain, model: model.model, detail }, 'a model failed when it was offered tools; it is asked without them');
    const onModelEnd: AnswerContext['onModelEnd'] = (model, tokens) => {
      const { input, output } = tokens;
      metrics.modelTokens.inc({ direction: 'input' }, input);
      metrics.modelTokens.inc({ direction: 'output' }, output);
      void modelRecord.answered(site, model.model, tokens);
    };
    const about = {
      docs,
      question,
      signal,
      onModelFailure,
      onToolsRefused,
      onModelEnd,
      toolSupport,
      newMark,
      siteUrl: settings.siteUrl,
      allowed: options.privateHosts,
    };
    if (whyNone) return { ...about, models: [], whyNone, tools: false };
    return { ...about, models: models(site), tools: usesTools(site) };
  }

  function reportOtherModel(domain: string, { vectors, version }: Manifest): void {
    if (vectors === undefined || vectors.model === embedder?.model) return;
    log.warn(
      { domain, version, made: vectors.model, used: embedder?.model },
      'the vectors of an export are of another embedding model; search is by words until the next export',
    );
  }
}

/** Which models answer for a site, and why none does. */
function modelsOfSites({ options, secrets, limits, log }: Pick<AssistantParts, 'options' | 'secrets' | 'limits' | 'log'>) {
  return { models, reasonForQuotes, usesTools };

  /** Why the docs are quoted; undefined if a model is asked, which is then counted. */
  async function reasonForQuotes(site: RegisteredSite, isOfPage: boolean): Promise<AnswerReason | undefined> {
    if (models(site).length === 0 || (isOfPage && !pagesAskModel(site.settings, options))) return 'NoModel';
    return (await countAnswer(site)) ? undefined : 'Budget';
  }

  /** Counts an answer of a model; false if the site has no more of them today. */
  async function countAnswer({ domain, settings }: RegisteredSite): Promise<boolean> {
    const most = settings.assistant?.answersPerDay;
    if (most === undefined) return true;
    try {
      await limits.count([{ name: 'site', subject: `answers ${domain}`, most, seconds: 86_400 }]);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'TooManyRequests') return false;
      throw error;
    }
  }

  function usesTools({ settings }: RegisteredSite): boolean {
    return settings.assistant?.tools ?? options.modelTools;
  }

  function models({ domain, settings }: RegisteredSite): Model[] {
    try {
      return modelsOf(settings.assistant, { domain, options, secrets });
    } catch (err) {
      log.error(
        { err, domain },
        'The API key of a model was encrypted with another CARREL_SECRET. Set the API key again; until then, answers quote the docs.',
      );
      return [];
    }
  }
}

async function searchSections(docs: SiteDocs, { query, limit, filter, tag }: Search): Promise<FoundSection[]> {
  const found = await docs.index(filter);
  if (!found) return [];
  const { index, byMeaning, ...kind } = found;
  const ranked = await byMeaning.search(query, { limit: tag === undefined ? limit : 100, perPage: shownPerPage });
  const results = ranked.filter((result) => tag === undefined || result.tag?.toLowerCase() === tag.toLowerCase()).slice(0, limit);
  const sections = await index.sections(results.map(({ section }) => section));
  const best = results[0]?.score || 1;
  return sections.map(({ id, page, title, headings, text, code, tag }, i) => ({
    id,
    page,
    title,
    headings,
    text: [text, code].filter((part) => part !== '').join('\n'),
    ...kind,
    ...(tag !== undefined && { tag }),
    score: Math.round(((results[i]?.score ?? 0) / best) * 1000) / 1000,
  }));
}
