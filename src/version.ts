import { readFileSync } from 'node:fs';

/** Carrel's version, from its own package.json (one folder up, in the working tree and in the published package). */
export const carrelVersion: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Program and version, as exports name what made them. */
export const generator = `carrel/${carrelVersion}`;
