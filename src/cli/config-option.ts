import { resolve } from 'node:path';
import { z } from 'zod';
import type { ServerOptions } from '../../server/platform/options.ts';
import { readOptions } from '../../server/platform/read-options.ts';
import { runWithLessMemory } from './own-process.ts';
import { option, readArguments, text, type Command } from './usage.ts';

/** `--config` for the commands that open a server's database directly. */
export const configOptions = z.strictObject({
  config: option(text.optional(), 'FILE', 'JSON file of options, as for carrel server'),
});

interface DatabaseArguments {
  /** The file as typed. */
  given: string;
  /** Its absolute path. */
  file: string;
  serverOptions: ServerOptions;
}

/** Prepares a command that opens the database and takes one file. Returns null after printing help. */
export function readDatabaseArguments(command: Command<typeof configOptions>, args: string[]): DatabaseArguments | null {
  const read = readArguments(command, args);
  if (!read) return null;
  const [given = ''] = read.words;
  const serverOptions = readOptions({ environment: process.env, file: read.options.config });
  runWithLessMemory(serverOptions);
  return { given, file: resolve(given), serverOptions };
}
