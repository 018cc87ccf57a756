import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Exporter } from '../../server/jobs/worker/run-export.ts';
import { readOptions } from '../../server/platform/read-options.ts';
import { validKey } from '../../server/organizations/authenticate.ts';
import type { SessionLink } from '../../server/organizations/session-links.ts';
import { ApiError } from '../../server/platform/errors.ts';
import type { StartedServer } from '../../server/server.ts';
import { carrelVersion } from '../version.ts';
import { storedAdminKey } from './api-client.ts';
import { commandName, option, text, shellWord, defineCommand } from './usage.ts';
import { runWithLessMemory, untilStopped } from './own-process.ts';
import { loadServer } from './server-modules.ts';

const options = {
  role: option(
    z.enum(['all', 'api', 'worker'], { error: 'must be one of all, api, worker' }).optional(),
    'ROLE',
    'Role of this process: all, api or worker (default: all)',
  ),
  config: option(text.optional(), 'FILE', 'JSON file of options; environment variables override it'),
};

/** `carrel server`: its options and how it is used. */
export const command = defineCommand({
  usage: 'server',
  summary: 'Run the server: export jobs over HTTP, links to bundles, hosted sites, and a dashboard.',
  options,
  examples: [
    ['server', 'Start everything with an embedded database'],
    ['server --config carrel.json', 'Read the options from a file'],
    ['server --role worker', 'Only work on jobs, beside other processes'],
  ],
  async run({ options: { role, config } }) {
    const environment = { ...process.env };
    if (role !== undefined) environment.CARREL_ROLE = role;
    if (config !== undefined) environment.CARREL_CONFIG = resolve(config);
    // A terminal shows only what goes wrong; log collectors get every request.
    if (process.stderr.isTTY) environment.CARREL_LOG ||= 'warn';
    const notes: string[] = [];
    const serverOptions = readOptions({ environment, note: (what, next) => notes.push(`${what} ${next}`) });
    runWithLessMemory(serverOptions);
    // After the restart; otherwise they would be printed twice.
    for (const note of notes) console.error(note);
    // Imported after the restart; otherwise it would load twice.
    const { startServer } = await loadServer();
    const server = await startServer({ options: serverOptions, exporter: exporter(), firstSite: manualSite() });
    const stopped = untilStopped();
    // Never in the output of a container, which is collected and stored.
    const link = process.stdout.isTTY && serverOptions.role !== 'worker' ? await signInLink(server, process.env) : undefined;
    console.log(greeting(server, process.stdout.isTTY, link));
    await stopped;
    console.log(
      `Stopping. Running jobs have ${serverOptions.drainSeconds} seconds to finish; press Ctrl+C again to stop immediately.`,
    );
    stopImmediatelyOnNextSignal();
    await server.stop();
  },
});

/** A terminal's Ctrl+C reaches the process twice, directly and through npm. Only a later signal is a second one. */
function stopImmediatelyOnNextSignal(): void {
  const first = performance.now();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (performance.now() - first > 500) process.exit(130);
    });
  }
}

/** Jobs run the same program. */
function exporter(): Exporter {
  const program = import.meta.url.replace(/server(\.[jt]s)$/, 'carrel$1');
  return {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', fileURLToPath(program)],
  };
}

function manualSite() {
  return { domain: 'manual', source: { type: 'folder', path: fileURLToPath(new URL('../manual', import.meta.url)) } } as const;
}

/** A link that signs in with CARREL_KEY or the admin key of the first start; undefined when neither is a valid admin key of this server. */
async function signInLink(
  { first, services }: StartedServer,
  { CARREL_KEY }: NodeJS.ProcessEnv,
): Promise<SessionLink | undefined> {
  const secret = CARREL_KEY?.trim() || first?.adminKey || storedAdminKey(services.options.data);
  if (secret === undefined) return undefined;
  const key = await validKey(services, `Bearer ${secret}`).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  return key?.kind === 'admin' ? services.sessionLinks.create(key, services.publicUrl) : undefined;
}

/** Prints keys only in a terminal, because a container's output is collected and stored. */
function greeting(
  { address, sitesAddress, first, services }: StartedServer,
  isTerminal: boolean,
  link: SessionLink | undefined,
): string {
  const { publicUrl, sitesUrl } = services;
  const program = commandName(process.env);
  const lines = [`Carrel ${carrelVersion} is listening on ${address}${sitesAddress ? ` and ${sitesAddress} (sites)` : ''}`, ''];
  if (sitesAddress) {
    lines.push(
      `  Dashboard   ${publicUrl}/dashboard`,
      `  Reference   ${publicUrl}/reference`,
      `  The manual  ${sitesUrl}/sites/manual/`,
    );
  }
  if (link) {
    lines.push('', 'Sign in to the dashboard with this link. It works once, for 10 minutes:', '', `  ${link.url}`);
  } else if (isTerminal && sitesAddress) {
    lines.push('', `\`${program} dashboard\` opens the dashboard, and signs in with the admin key in CARREL_KEY.`);
  }
  if (first) {
    const { adminKey, assistantKey, file } = first;
    // The command line looks for the keys there, too.
    const data = process.env.CARREL_DATA ? `CARREL_DATA=${shellWord(process.env.CARREL_DATA)} ` : '';
    const keys = isTerminal
      ? [
          'Your keys. They are shown only once; the command line on this machine reads them from the file:',
          '',
          `  Admin key      ${adminKey}`,
          `  Assistant key  ${assistantKey}`,
          `  File           ${file}`,
        ]
      : ['Your keys are in a file that only its owner can read. $CARREL_KEY below is its "adminKey":', '', `  ${file}`];
    lines.push(
      '',
      ...keys,
      '',
      'The server is exporting the manual as the first site. Then try:',
      '',
      `  curl -X POST ${publicUrl}/v1/static-export/jobs -H "Authorization: Bearer ${isTerminal ? adminKey : '$CARREL_KEY'}" -d '{"domain":"manual"}'`,
      `  ${data}${program} export-remote manual --out manual.zip`,
      `  ${data}${program} site add my-docs --folder ../my-docs`,
    );
  }
  return [...lines, '', 'Ctrl+C stops it.'].join('\n');
}
