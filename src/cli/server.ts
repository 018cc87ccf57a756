import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Exporter } from '../../server/jobs/worker/export.ts';
import { readOptions } from '../../server/platform/read-options.ts';
import type { StartedServer } from '../../server/server.ts';
import { carrelVersion } from '../version.ts';
import { commandName } from './command-name.ts';
import { runWithLessMemory } from './less-memory.ts';
import { untilStopped } from './until-stopped.ts';
import { readArguments, type Command } from './usage.ts';

const options = z.strictObject({
  role: z
    .enum(['all', 'api', 'worker'], { error: 'must be one of all, api, worker' })
    .optional()
    .meta({ takes: 'ROLE', description: 'Part this process plays: all, api or worker (default: all)' }),
  config: z
    .string()
    .min(1, { error: 'must not be empty' })
    .optional()
    .meta({ takes: 'FILE', description: 'JSON file of options; the environment wins over it' }),
});

/** `carrel server`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'server',
  summary: 'Run the companion server: export jobs over HTTP, links to bundles, the sites themselves, and a dashboard.',
  options,
  words: [0, 0],
};

export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, args);
  if (!read) return 0;
  const { role, config } = read.options;
  const environment = { ...process.env };
  if (role !== undefined) environment.CARREL_ROLE = role;
  if (config !== undefined) environment.CARREL_CONFIG = resolve(config);
  // Whoever reads a terminal wants to see what goes wrong; collectors of logs want every request.
  if (process.stderr.isTTY) environment.CARREL_LOG ||= 'warn';
  const serverOptions = readOptions({ environment });
  runWithLessMemory(serverOptions);
  // Loaded after that, or it would be loaded twice.
  const { startServer } = await import('../../server/server.ts');
  const server = await startServer({ options: serverOptions, exporter: exporter(), firstSite: manualSite() });
  const stopped = untilStopped();
  console.log(greeting(server, process.stdout.isTTY));
  await stopped;
  console.log(`Stopping. Running jobs get ${serverOptions.drainSeconds} seconds to end; another Ctrl+C stops at once.`);
  stopAtOnceWhenAskedAgain();
  await server.stop();
  return 0;
}

/** A terminal's Ctrl+C comes to a process and, through npm, once more; only what comes later is another one. */
function stopAtOnceWhenAskedAgain(): void {
  const asked = performance.now();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (performance.now() - asked > 500) process.exit(130);
    });
  }
}

/** Jobs run `carrel export` of the same program. */
function exporter(): Exporter {
  const program = import.meta.url.replace(/server(\.[jt]s)$/, 'carrel$1');
  return {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', fileURLToPath(program), 'export'],
  };
}

function manualSite() {
  return { domain: 'manual', source: { type: 'folder', path: fileURLToPath(new URL('../manual', import.meta.url)) } } as const;
}

/** Keys are printed at a terminal only: what a container prints is collected and stored. */
function greeting({ address, sitesAddress, first, services }: StartedServer, isTerminal: boolean): string {
  const { publicUrl, sitesUrl } = services;
  const program = commandName(process.env);
  const lines = [`Carrel ${carrelVersion} listens at ${address}${sitesAddress ? ` and ${sitesAddress} (sites)` : ''}`, ''];
  if (sitesAddress) {
    lines.push(
      `  Dashboard   ${publicUrl}/dashboard`,
      `  Reference   ${publicUrl}/reference`,
      `  The manual  ${sitesUrl}/sites/manual/`,
    );
  }
  if (first) {
    const { adminKey, assistantKey, file } = first;
    const keys = isTerminal
      ? [
          'Your keys, printed this once (the command line of this machine finds them in the file):',
          '',
          `  Admin key      ${adminKey}`,
          `  Assistant key  ${assistantKey}`,
          `  File           ${file}`,
        ]
      : ['Your keys are in a file that only its owner can read; $CARREL_KEY below is its "adminKey":', '', `  ${file}`];
    lines.push(
      '',
      ...keys,
      '',
      'The manual is being exported as the first site. Then try:',
      '',
      `  curl -X POST ${publicUrl}/v1/static-export/jobs -H "Authorization: Bearer ${isTerminal ? adminKey : '$CARREL_KEY'}" -d '{"domain":"manual"}'`,
      `  ${program} export-remote manual --out manual.zip`,
      `  ${program} site add my-docs --folder ../my-docs`,
    );
  }
  return [...lines, '', 'Ctrl+C stops it.'].join('\n');
}
