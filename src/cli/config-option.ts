import type { ServerOptions } from '../../server/platform/options.ts';
import { readOptions } from '../../server/platform/read-options.ts';
import { runWithLessMemory } from './own-process.ts';
import { option, text } from './usage.ts';

/** `--config` for the commands that open a server's database directly. */
export const configOptions = {
  config: option(text.optional(), 'FILE', 'JSON file of options, as for carrel server'),
};

/** The options of the server whose database a command opens, in a process that has less memory. */
export function readServerOptions(config: string | undefined): ServerOptions {
  const serverOptions = readOptions({ environment: process.env, file: config });
  runWithLessMemory(serverOptions);
  return serverOptions;
}
