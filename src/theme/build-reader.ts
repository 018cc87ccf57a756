import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import type { Reader } from '../site/page-view.ts';

export interface BuiltReader {
  /** Root-absolute addresses in an export. */
  reader: Reader;
  /** By name in the `_carrel` folder. */
  files: Map<string, string | Uint8Array>;
}

/** Bundles what runs in the reader's browser: classic scripts and one style sheet, named by their content. */
export async function buildReader(root: string): Promise<BuiltReader> {
  const files = new Map<string, string | Uint8Array>();
  const add = (name: string, extension: string, code: string): string => {
    const hashed = `${name}.${createHash('sha256').update(code).digest('hex').slice(0, 10)}.${extension}`;
    files.set(hashed, code);
    return hashed;
  };
  const search = add('search', 'js', await script(join(root, 'integration/client/search.ts')));
  const ask = add('ask', 'js', await script(join(root, 'integration/client/ask.ts')));
  const early = add('early', 'js', await script(join(root, 'src/elements/early.ts')));
  const reader = add(
    'reader',
    'js',
    await script(join(root, 'src/elements/reader.ts'), {
      SEARCH_SCRIPT: JSON.stringify(search),
      ASK_SCRIPT: JSON.stringify(ask),
    }),
  );
  const { css, fonts } = await style(join(root, 'src/styles/reader.css'));
  for (const [name, font] of fonts) files.set(name, font);
  const sheet = add('reader', 'css', css);
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

// file:// refuses module scripts, so every script is a classic one in a single file.
async function script(entry: string, define: Record<string, string> = {}): Promise<string> {
  const output = await bundle({ input: entry, output: { format: 'iife', codeSplitting: false } }, define);
  const code = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  if (code.length !== 1) throw new Error(`${entry} became ${code.length} scripts instead of one.`);
  return code[0]!;
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

async function bundle(options: Rolldown.RolldownOptions, define: Record<string, string> = {}) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    base: './',
    publicDir: false,
    define,
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      target: 'es2022',
      cssTarget: 'chrome123',
      rolldownOptions: options,
    },
  });
  return (Array.isArray(result) ? result[0] : (result as Rolldown.RolldownOutput))!.output;
}
