// The whole API with a site of two pages that records events.
import type { ServerOptions } from '../../../server/platform/options.ts';
import { activate, writeIndexedExport } from '../../support/indexed-export.ts';
import { openAssistantServer, type AssistantServer } from '../assistant/assistant-server.ts';
import { checkAgainst, type ApiDocument } from '../support/contract.ts';
import { temporaryFolder } from '../storage/storages.ts';

export const domain = 'docs.example.com';
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Mode = 'off' | 'own' | 'providers' | 'both';

interface Sent {
  to?: string;
  /** The IP address of the reader. */
  from?: string;
  headers?: Record<string, string>;
}

export interface AnalyticsServer extends AssistantServer {
  /** Sends events as a browser does. */
  record(events: unknown, sent?: Sent): Promise<Response>;
  /** Stores what was sent, then reads a report with the admin key; each answer is checked against `/openapi.json`. */
  report(path: string, key?: string): Promise<Response>;
  /** The rows of a report. */
  rows(name: string, query?: string): Promise<Record<string, unknown>[]>;
  setMode(mode: Mode | undefined, domain?: string): Promise<void>;
}

export async function openAnalyticsServer(options: Partial<ServerOptions> = {}): Promise<AnalyticsServer> {
  const server = await openAssistantServer({ analyticsPerHour: 1000, ...options });
  const { services, clock, api, adminKey } = server;
  const document = (await (await api.request('/openapi.json')).json()) as ApiDocument;
  const pages = ['', 'guides/install', 'guides/configure'].map((path) => ({ path, title: path, markdown: 'Text.\n' }));
  for (const [name, organization] of [
    [domain, 'default'],
    ['foreign.example.com', 'other'],
  ] as const)
    await activate(services, { domain: name, organization }, await writeIndexedExport(await temporaryFolder(), pages));

  const setMode: AnalyticsServer['setMode'] = async (mode, name = domain) => {
    const site = (await services.sites.get(name))!;
    const features = mode === undefined ? undefined : { analytics: { mode } };
    await services.sites.put({ ...site, settings: { ...site.settings, features } });
  };
  await setMode('own');
  await setMode('own', 'foreign.example.com');
  clock.now += 1001;

  const report: AnalyticsServer['report'] = async (path, key = adminKey) => {
    await services.events.flush();
    const url = `/v1/analytics/${path}`;
    const response = await server.request('GET', url, undefined, key);
    await checkAgainst(document, 'GET', url, response);
    return response;
  };
  return {
    ...server,
    setMode,
    report,
    record: (events, { to = domain, from, headers } = {}) =>
      server.post(
        `/discovery/v1/events/${to}`,
        { events },
        { key: null, from, headers: { 'user-agent': browser, 'content-type': 'text/plain;charset=UTF-8', ...headers } },
      ),
    async rows(name, query = '') {
      const response = await report(`${domain}/${name}${query}`);
      if (!response.ok) throw new Error(await response.text());
      const body = (await response.json()) as Record<string, Record<string, unknown>[]>;
      return body[name]!;
    },
  };
}
