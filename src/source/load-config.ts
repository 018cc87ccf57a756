import type { Problem } from '../../integration/diagnostics.ts';
import { ExportError } from '../../integration/errors.ts';
import { isObject } from './by-kind.ts';
import type { DocsConfig } from './docs-json.ts';
import { fromMintJson } from './mint-json.ts';
import { parseConfig } from './parse-config.ts';
import { jsonLines, parseJson } from './parse-json.ts';
import { resolveReferences } from './references.ts';

export interface LoadedConfig {
  config: DocsConfig | null;
  /** The files of the configuration itself, which are not assets. */
  files: string[];
  problems: Problem[];
}

/** Text of a file of the docs folder: undefined when it does not exist, null when it is outside the folder. */
export type ReadText = (file: string) => string | null | undefined;

/** Reads docs.json or else mint.json; null without either. Throws `ConfigNotJson` and the errors of `resolveReferences`. */
export function loadConfig(read: ReadText): LoadedConfig {
  for (const file of ['docs.json', 'mint.json']) {
    const text = read(file);
    if (text === null)
      throw new ExportError('ConfigOutside', `${file} is a link out of the docs folder.`, 'Copy the file into the folder.');
    if (text === undefined) continue;
    const readJson = (name: string) => {
      const part = read(name);
      return typeof part === 'string' ? parseJson(part, name) : part;
    };
    const { value, files } = resolveReferences(parseJson(text, file), file, readJson);
    if (!isObject(value)) {
      throw new ExportError('ConfigNotObject', `${file} is not an object { … }.`, 'See the manual for the keys it may have.');
    }
    // mint.json is converted, so the paths of its values change.
    const parsed =
      file === 'mint.json' ? parseConfig(fromMintJson(value), file) : parseConfig(value, file, () => jsonLines(text));
    return { ...parsed, files: [file, ...files] };
  }
  return { config: null, files: [], problems: [] };
}
