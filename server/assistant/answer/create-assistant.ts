// The assistant over the active exports of all sites.
import { randomBytes } from 'node:crypto';
import { labelsOf } from '../../../integration/search/labels/index.ts';
import type { Services } from '../../services.ts';
import { FileRemoved } from '../../active-exports/stored-site.ts';
import type { AnswerEvent } from './answer-events.ts';
import { answerEvents, promptFor, type Answering } from './answer.ts';
import type { Assistant } from './assistant.ts';
import type { ModelFailed } from '../model/model-failed.ts';
import { modelsOf, type Model } from '../../sites/model-settings.ts';
import type { Question } from '../request/question.ts';
import { retrieve } from '../retrieve/retrieve.ts';
import { ServerStopping } from '../stream/running-answers.ts';
import { createActiveExports, type ActiveExport } from '../../active-exports/active-exports.ts';
import { docsOf, type SiteDocs } from '../../active-exports/site-docs.ts';
import type { RegisteredSite } from '../../sites/sites.ts';

type AssistantServices = Pick<Services, 'sites' | 'jobs' | 'storage' | 'options' | 'secret' | 'log' | 'metrics'>;

type Opened = ActiveExport<SiteDocs>;

// An open index holds what was read of it: at most all of its files, a few times their size.
const mostOpened = 16;

/** 96 random bits: what was written before a request cannot hold them. */
const randomMark = () => randomBytes(12).toString('hex');

export function createAssistant(services: AssistantServices, newMark: () => string = randomMark): Assistant {
  const { options, secret, log, metrics } = services;
  const active = createActiveExports(services, {
    most: mostOpened,
    make: (_, { opened, manifest }) => docsOf(opened, manifest),
  });

  return {
    async answer(domain, question, signal) {
      const opened = await active.open(domain);
      return opened && answer(opened, question, signal);
    },

    explain: (domain, question) =>
      active.use(domain, async ({ site, made: docs }) => {
        const found = await docs.index(question.filter, question.currentPath);
        const retrieved = found ? await retrieve(found.index, question, docs.page) : [];
        const [model] = models(site);
        const tools = site.settings.assistant?.tools ?? false;
        const prompt = model && promptFor(model, { name: docs.name, question, retrieved, tools, mark: newMark() });
        return {
          retrieved: retrieved.map(({ id, title, score }) => ({ id, title, score })),
          ...(prompt && { prompt: { instructions: prompt.instructions, messages: prompt.messages } }),
        };
      }),

    search: (domain, { query, limit, filter }) =>
      active.use(domain, async ({ made: docs }) => {
        const found = await docs.index(filter);
        if (!found) return [];
        const { index, ...kind } = found;
        const results = await index.search(query, { limit });
        const sections = await index.sections(results.map(({ section }) => section));
        const best = results[0]?.score || 1;
        return sections.map(({ id, page, title, headings, text, code }, i) => ({
          id,
          page,
          title,
          headings,
          text: [text, code].filter((part) => part !== '').join('\n'),
          ...kind,
          score: Math.round((results[i]!.score / best) * 1000) / 1000,
        }));
      }),

    page: (domain, path) =>
      active.use(domain, ({ made: docs }) => docs.markdown(path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, ''))),
  };

  async function* answer(opened: Opened, question: Question, signal: AbortSignal): AsyncGenerator<AnswerEvent, void> {
    const { domain } = opened.site;
    const failed = async (code: string, text: 'cutOff' | 'failed'): Promise<AnswerEvent> => {
      const language = question.filter.language ?? opened.made.kinds[0]?.language;
      return { type: 'failed', code, message: (await labelsOf(language)).server[text] };
    };
    let begun = false;
    for (let current: Opened | undefined = opened, attempt = 1; current; attempt++) {
      try {
        for await (const event of answerEvents(answering(current, question, signal))) {
          begun = true;
          yield event;
          if (event.type === 'end' || event.type === 'failed') return;
        }
        if (signal.reason instanceof ServerStopping) yield await failed('ServerStopping', 'cutOff');
        return;
      } catch (error) {
        if (signal.reason instanceof ServerStopping) yield await failed('ServerStopping', 'cutOff');
        if (signal.aborted) return;
        // Retention was faster than the look at the active export: once more, on the one that took its place.
        if (error instanceof FileRemoved && !begun && attempt === 1) {
          current = await active.openNext(current, error).catch(() => undefined);
          if (current) continue;
        }
        log.error({ err: error, domain }, 'a question could not be answered');
        yield await failed('AnswerFailed', begun ? 'cutOff' : 'failed');
        return;
      }
    }
  }

  function answering({ site, made: docs }: Opened, question: Question, signal: AbortSignal): Answering {
    const { domain, settings } = site;
    const onModelFailure = (model: Model, { code, detail }: ModelFailed) => {
      log.warn({ domain, model: model.model, code, detail }, 'a model failed');
      metrics.modelFailures.inc({ kind: code });
    };
    const about = { docs, question, signal, onModelFailure, newMark, siteUrl: settings.siteUrl, allowed: options.privateHosts };
    return { ...about, models: models(site), tools: settings.assistant?.tools ?? false };
  }

  function models({ domain, settings }: RegisteredSite): Model[] {
    try {
      return modelsOf(settings.assistant, { domain, options, secret });
    } catch (err) {
      log.error(
        { err, domain },
        'The key of a model was sealed with another CARREL_SECRET. Set it again; until then the docs are quoted.',
      );
      return [];
    }
  }
}
