import { resolve } from 'node:path';
import { z } from 'zod';
import { serveSite } from '../../server/sites/serve.ts';
import { readArguments, type Command } from './usage.ts';

const options = z.strictObject({
  port: z.coerce
    .number({ error: 'must be a number' })
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must be 0 or more' })
    .max(65535, { error: 'must be at most 65535' })
    .default(4401)
    .meta({ takes: 'PORT', description: 'Port to listen on; 0 takes any free one (default: 4401)' }),
  host: z
    .string()
    .min(1, { error: 'must not be empty' })
    .default('127.0.0.1')
    .meta({ takes: 'HOST', description: 'Address to listen on (default: 127.0.0.1, this machine only)' }),
  base: z.string().default('/').meta({ takes: 'BASE', description: 'Sub-path to serve under, such as /docs/' }),
});

/** `carrel serve`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'serve FOLDER|ZIP',
  summary: 'Serve an export over http, from its folder or from the zip.',
  options,
  words: [1, 1],
};

export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, args);
  if (!read) return 0;
  const served = await serveSite({ source: resolve(read.words[0]!), ...read.options });
  console.log(`${served.name} is served at ${served.address} (Ctrl+C stops it)`);
  await untilStopped();
  await served.close();
  return 0;
}

/** Resolves when the user or the system asks the program to stop. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
