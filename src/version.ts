import { readFileSync } from 'node:fs';

/** Carrel's version, from its package.json (one folder up, both in the working tree and in the published package). */
export const carrelVersion: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Program and version, as exports name their generator. */
export const generator = `carrel/${carrelVersion}`;
