import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript } from './bundle-script.ts';

const reader = fileURLToPath(new URL('../reader/', import.meta.url));

/** The scripts that both our own theme and other sites load on first use, by name in `_carrel`: each is named by what it holds. */
export interface ReadingScripts {
  search: string;
  ask: string;
  files: Map<string, string>;
}

export async function buildReadingScripts(): Promise<ReadingScripts> {
  const search = named('search', await bundleScript(join(reader, 'search/search.ts')));
  const ask = named('ask', await bundleScript(join(reader, 'ask/ask.ts')));
  return { search: search[0], ask: ask[0], files: new Map([search, ask]) };
}

/** Writes into `folder` the scripts that pages of other themes than ours get: `guest.<hash>.js`, and what it loads. */
export async function buildBuiltSiteScripts(folder: string): Promise<void> {
  const { search, ask, files } = await buildReadingScripts();
  const define = { SEARCH_SCRIPT: JSON.stringify(search), ASK_SCRIPT: JSON.stringify(ask) };
  files.set(...named('guest', await bundleScript(join(reader, 'built-site.ts'), define)));
  mkdirSync(folder, { recursive: true });
  for (const [name, code] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
}

/** A file's name with a digest of what it holds, and that. */
export function named(name: string, text: string, extension = 'js'): [name: string, text: string] {
  return [`${name}.${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${extension}`, text];
}
