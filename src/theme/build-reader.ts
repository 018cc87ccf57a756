import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleLazyScripts, hashedName } from '../../integration/reader-build/build-reader-scripts.ts';
import { bundle, bundleScript } from '../../integration/reader-build/bundle.ts';
import type { Reader } from '../site/page-view.ts';
import { authorClasses } from './author-classes.ts';

export interface BuiltReader {
  /** Root-relative URLs in an export. */
  reader: Reader;
  /** By name in the `_carrel` folder. */
  files: Map<string, string | Uint8Array>;
}

/** Bundles what runs in the reader's browser: classic scripts and one stylesheet, named by content hash. */
export async function buildReader(root: string): Promise<BuiltReader> {
  const { define, files: lazy } = await bundleLazyScripts();
  const files = new Map<string, string | Uint8Array>(lazy);
  const add = (name: string, text: string, extension?: string): string => {
    const hashed = hashedName(name, text, extension);
    files.set(hashed, text);
    return `/_carrel/${hashed}`;
  };
  const { css, fonts } = await style(join(root, 'src/styles/reader.css'));
  for (const [name, font] of fonts) files.set(name, font);
  return {
    reader: {
      style: add('reader', css, 'css'),
      earlyScript: add('early', await bundleScript(join(root, 'src/elements/early.ts'))),
      script: add('reader', await bundleScript(join(root, 'src/elements/reader.ts'), define)),
    },
    files,
  };
}

/** The family has its plain name, so a site that uses Inter gets it without a network. */
const plainInter: Plugin = {
  name: 'plain-inter',
  config: () => ({
    css: {
      postcss: {
        plugins: [
          {
            postcssPlugin: 'plain-inter',
            Declaration: {
              'font-family': (declaration) => void (declaration.value = declaration.value.replace("'Inter Variable'", 'Inter')),
              src: (declaration) => void (declaration.value = declaration.value.replace('woff2-variations', 'woff2')),
            },
          },
        ],
      },
    },
  }),
};

async function style(entry: string): Promise<{ css: string; fonts: Map<string, string | Uint8Array> }> {
  const output = await bundle(
    {
      input: entry,
      output: {
        assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? '[name][extname]' : 'fonts/[name].[hash][extname]'),
      },
    },
    { plugins: [authorClasses, plainInter] },
  );
  const assets = output.flatMap((file) => (file.type === 'asset' ? [file] : []));
  const sheet = assets.find((asset) => asset.fileName.endsWith('.css'));
  if (!sheet) throw new Error(`${entry} became no stylesheet.`);
  const fonts = assets.filter((asset) => asset !== sheet).map(({ fileName, source }) => [fileName, source] as const);
  return { css: String(sheet.source), fonts: new Map(fonts) };
}
