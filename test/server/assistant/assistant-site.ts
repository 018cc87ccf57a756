// A site with an active export and the assistant over it, without a port.
import type { AnswerEvent } from '../../../server/assistant/answer/answer-event.ts';
import type { Source } from '../../../server/assistant/retrieve/sources.ts';
import { type Assistant, type OpenedAnswer, createAssistant } from '../../../server/assistant/answer/assistant.ts';
import { settingsToStore, assistantSettingsSchema } from '../../../server/sites/model-settings.ts';
import type { EmbeddingModel } from '../../../integration/remote/embeddings.ts';
import type { Question } from '../../../server/assistant/request/question.ts';
import type { ServerOptions } from '../../../server/platform/options.ts';
import type { Services } from '../../../server/services.ts';
import { activate, writeIndexedExport, type IndexedExportOptions, type PlainPage } from '../../support/indexed-export.ts';
import { openLinkServer } from '../storage/services.ts';
import { temporaryFolder } from '../storage/storages.ts';
import { questionOf } from './written-question.ts';

export interface AssistantSite {
  services: Services;
  clock: { now: number };
  assistant: Assistant;
  /** Exports these pages, a second later, so that what was in memory is forgotten. */
  exportPages(pages: PlainPage[], domain?: string, version?: string, defaults?: IndexedExportOptions['defaults']): Promise<void>;
  /** Registers a site, or gives it other settings. */
  configure(assistant?: unknown, about?: { domain?: string; siteUrl?: string; trusted?: boolean }): Promise<void>;
  ask(question: string | Partial<Question>, about?: { domain?: string; signal?: AbortSignal }): Promise<Answer>;
}

export interface Answer {
  events: AnswerEvent[];
  sources: Source[];
  text: string;
  /** `stop by model`, or the code of the failure. */
  end: string;
}

export const domain = 'docs.test';

export async function openAssistantSite(
  pages: PlainPage[],
  {
    assistant: settings,
    embeddings,
    ...options
  }: { assistant?: unknown; embeddings?: EmbeddingModel } & Partial<ServerOptions> = {},
): Promise<AssistantSite> {
  const { services, clock } = await openLinkServer();
  services.options = { ...services.options, ...options };
  await services.organizations.create({ id: 'default', name: 'default', plan: 'enterprise' });
  const assistant = createAssistant(services);

  const configure: AssistantSite['configure'] = async (given, { domain: name = domain, siteUrl, trusted = true } = {}) => {
    const parsed = given === undefined ? undefined : assistantSettingsSchema.parse(given);
    const kept = parsed && settingsToStore(parsed, undefined, { domain: name, secrets: services.secrets, trusted });
    await services.sites.put({
      domain: name,
      organization: 'default',
      source: { type: 'folder', path: '/docs' },
      settings: { builder: 'docs', deployment: 'client-hosted', ...(siteUrl && { siteUrl }), ...(kept && { assistant: kept }) },
    });
    clock.now += 1001;
  };
  const exportPages: AssistantSite['exportPages'] = async (written, name = domain, version = '1', defaults) => {
    await activate(
      services,
      { domain: name },
      await writeIndexedExport(await temporaryFolder(), written, { version, defaults, embeddings }),
    );
    clock.now += 1001;
  };
  await configure(settings);
  await exportPages(pages);

  return {
    services,
    clock,
    assistant,
    configure,
    exportPages,
    async ask(question, { domain: name = domain, signal = new AbortController().signal } = {}) {
      const answer = await assistant.answer(name, questionOf(question), signal);
      if (!answer) throw new Error(`"${name}" has nothing to answer from.`);
      return collected(answer);
    },
  };
}

export async function collected({ events: coming }: OpenedAnswer): Promise<Answer> {
  const events: AnswerEvent[] = [];
  for await (const event of coming) events.push(event);
  const last = events.at(-1);
  return {
    events,
    sources: events.flatMap((event) => (event.type === 'source' ? [event.source] : [])),
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    end: last?.type === 'end' ? `${last.reason} by ${last.by}` : last?.type === 'failed' ? last.code : 'nothing',
  };
}

/** A small site about something that no model knows. */
export const harbour: PlainPage[] = [
  { path: '', title: 'Tidewater', markdown: 'Tidewater moves files between harbours.\n' },
  {
    path: 'guides/install',
    title: 'Install Tidewater',
    markdown:
      'Tidewater needs Node 22 or later.\n\n## Install with npm\n\nInstall the package for one project.\n\n```bash\nnpm install tidewater\n```\n\n## Install on Windows\n\nRun the installer `tidewater.msi` as an administrator.\n\n## Install in a container\n\nPull the image and run it on port 8080.\n',
  },
  {
    path: 'guides/configure',
    title: 'Configure',
    markdown:
      'Settings are read from `tidewater.json`.\n\n## Tides\n\nThe setting `tide` is high or low.\n\n## Ports\n\nThe server listens on the port in `harbourPort`, 7700 by default.\n',
  },
  {
    path: 'guides/windows',
    title: 'Windows services',
    markdown: 'On Windows a service keeps Tidewater running after a restart of the machine.\n',
  },
  { path: 'reference/errors', title: 'Errors', markdown: '## LeaseLost\n\nAnother worker took the berth. Ask for it again.\n' },
];
