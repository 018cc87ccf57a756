// The server of the assistant bench, in a process of its own, so that only its memory counts. Exports are made elsewhere, without a worker.
import path from 'node:path';
import { serverOptionsSchema } from '../../server/platform/options.ts';
import { startServer } from '../../server/server.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { activate } from '../support/indexed-export.ts';

/** What the bench tells this process, one at a time; each but `stop` is answered with `Answer`. */
export type Command = { activate: { folder: string; manifest: Manifest } } | { usage: true } | { stop: true };
export interface Answer {
  address?: string;
  key?: string;
  /** Resident bytes. */
  memory?: number;
  cpuSeconds?: number;
  error?: string;
}

const [folder = '', model = ''] = process.argv.slice(2);
const domain = 'bench.test';
const options = serverOptionsSchema.parse({
  data: path.join(folder, 'data'),
  port: 0,
  sitesPort: 0,
  role: 'api',
  log: 'warn',
  questionsPerHour: 1_000_000,
  questionsPerDay: 1_000_000,
  streams: 100_000,
  streamsPerKey: 100_000,
  modelUrl: model,
  model: 'scripted',
});
const server = await startServer({ options, exporter: { command: process.execPath, args: [] } });
const { services } = server;
await services.organizations.create({ id: 'default', name: 'Bench', plan: 'enterprise' });
await services.sites.put({
  domain,
  organization: 'default',
  source: { type: 'folder', path: folder },
  settings: { builder: 'docs', deployment: 'client-hosted' },
});
const { secret: key } = await services.keys.create(
  { organization: 'default', kind: 'assistant', name: 'bench', domains: [domain] },
  { unlimited: true },
);

process.on('message', (command: Command) => {
  if ('stop' in command) void server.stop().then(() => process.disconnect());
  else void obey(command).then((answer) => process.send!(answer));
});
process.send!({ address: server.address, key } satisfies Answer);

async function obey(command: Exclude<Command, { stop: true }>): Promise<Answer> {
  try {
    if ('activate' in command) {
      await activate(services, { domain }, command.activate);
      return {};
    }
    const { user, system } = process.cpuUsage();
    return { memory: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
  } catch (error) {
    return { error: (error as Error).stack };
  }
}
