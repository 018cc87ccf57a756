import { join } from 'node:path';
import { buildReadingScripts, named } from '../../integration/reader-build/build-scripts.ts';
import { bundle, bundleScript } from '../../integration/reader-build/bundle-script.ts';
import type { Reader } from '../site/view/page-view.ts';

export interface BuiltReader {
  /** Root-relative URLs in an export. */
  reader: Reader;
  /** By name in the `_carrel` folder. */
  files: Map<string, string | Uint8Array>;
}

/** Bundles what runs in the reader's browser: classic scripts and one stylesheet, named by content hash. */
export async function buildReader(root: string): Promise<BuiltReader> {
  const { search, ask, files: reading } = await buildReadingScripts();
  const files = new Map<string, string | Uint8Array>(reading);
  const add = (name: string, code: string, extension?: string): string => {
    const [hashed] = named(name, code, extension);
    files.set(hashed, code);
    return hashed;
  };
  const early = add('early', await bundleScript(join(root, 'src/elements/early.ts')));
  const define = { SEARCH_SCRIPT: JSON.stringify(search), ASK_SCRIPT: JSON.stringify(ask) };
  const reader = add('reader', await bundleScript(join(root, 'src/elements/reader.ts'), define));
  const { css, fonts } = await style(join(root, 'src/styles/reader.css'));
  for (const [name, font] of fonts) files.set(name, font);
  const sheet = add('reader', css, 'css');
  const address = (name: string) => `/_carrel/${name}`;
  return {
    reader: {
      style: address(sheet),
      earlyScript: address(early),
      script: address(reader),
      searchScript: address(search),
      askScript: address(ask),
    },
    files,
  };
}

async function style(entry: string): Promise<{ css: string; fonts: Map<string, Uint8Array> }> {
  const output = await bundle({
    input: entry,
    output: { assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? '[name][extname]' : 'fonts/[name].[hash][extname]') },
  });
  const assets = output.flatMap((file) => (file.type === 'asset' ? [file] : []));
  const sheet = assets.find((asset) => asset.fileName.endsWith('.css'));
  if (!sheet) throw new Error(`${entry} became no style sheet.`);
  const fonts = assets.filter((asset) => asset !== sheet).map((asset) => [asset.fileName, asset.source as Uint8Array] as const);
  return { css: String(sheet.source), fonts: new Map(fonts) };
}
