import { pino, type Logger } from 'pino';
import type { ServerOptions } from '../options.ts';

export type { Logger };

/** JSON lines on standard error. Keys, signatures and passwords are left out by name, wherever an object holds them. */
export function createLog(level: ServerOptions['log'], destination: NodeJS.WritableStream = process.stderr): Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
