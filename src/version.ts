import { readFileSync } from 'node:fs';

/** Carrel's version, from its package.json (one folder up, both in the working tree and in the published package). */
export const carrelVersion: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/**
 * Whether the packages are on npm. Until they are, anyone could take their names there: no text shows a command that would download them, which
 * `test/published.test.ts` checks.
 */
export const isPublished: boolean = false;

/** Program and version, as exports name their generator. */
export const generator = `carrel/${carrelVersion}`;
