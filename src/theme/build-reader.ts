import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { create } from 'fontkitten';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { bundleThemeScripts, hashedName, packagesByFile } from '../../integration/reader-build/build-reader-scripts.ts';
import { bundle, bundleScript, type Bundled } from '../../integration/reader-build/bundle.ts';
import { packagesOf, type PackagesByFile } from '../../integration/reader-build/npm-packages.ts';
import type { Reader } from '../site/page-view.ts';
import { parts } from './part-styles.ts';

/** A font of the theme's own text, in regular and heavier weights. */
export interface TextFont {
  /** Its name in the `_carrel` folder. */
  file: string;
  /** The characters that it has: first and last of each range. */
  ranges: [number, number][];
}

export interface BuiltReader {
  /** Root-relative URLs in an export. */
  reader: Reader;
  /** By name in the `_carrel` folder. */
  files: Map<string, string | Uint8Array>;
  /** The packages in those files. */
  packages: PackagesByFile;
  textFonts: TextFont[];
}

/** Bundles what runs in the reader's browser: classic scripts and one stylesheet, named by content hash. */
export async function buildReader(root: string): Promise<BuiltReader> {
  const { define, files: lazy } = await bundleThemeScripts({
    sidebar: join(root, 'src/elements/sidebar-entries.ts'),
    menu: join(root, 'src/elements/page-menu.ts'),
    blocks: join(root, 'src/elements/blocks.ts'),
  });
  const files = new Map<string, Bundled<string | Uint8Array>>(lazy);
  const add = (name: string, file: Bundled, extension?: string): string => {
    const hashed = hashedName(name, file.contents, extension);
    files.set(hashed, file);
    return `/_carrel/${hashed}`;
  };
  const { css, fonts } = await cutFonts(await style(join(root, 'src/styles/reader.css')));
  const partSheets = await Promise.all(
    parts.map(async (name) => [name, (await style(join(root, `src/styles/${name}.css`))).css] as const),
  );
  for (const [name, font] of [...fonts, ...(await fontLicenses())]) files.set(name, font);
  const sheet = (contents: string): Bundled => ({ contents, packages: [] });
  return {
    reader: {
      style: add('reader', sheet(css), 'css'),
      partStyles: Object.fromEntries(
        partSheets.map(([name, text]) => [name, add(name, sheet(text), 'css')]),
      ) as Reader['partStyles'],
      earlyScript: add('early', await bundleScript(join(root, 'src/elements/early.ts'))),
      script: add('reader', await bundleScript(join(root, 'src/elements/reader.ts'), define)),
      notFoundScript: add('not-found', await bundleScript(join(root, 'src/elements/not-found.ts'), define)),
      tabsScript: add('tabs', await bundleScript(join(root, 'src/elements/tabs-script.ts'))),
      islandsScript: add('islands', await bundleScript(join(root, 'src/islands/runtime/browser.ts'))),
    },
    files: new Map([...files].map(([name, { contents }]) => [name, contents])),
    packages: packagesByFile(files),
    textFonts: [...fonts]
      .filter(([name]) => name.includes('-400-900.'))
      .map(([file, { contents }]) => ({ file, ranges: rangesOf(contents) })),
  };
}

function rangesOf(bytes: Uint8Array): TextFont['ranges'] {
  const font = create(Buffer.from(bytes));
  if (!('characterSet' in font)) throw new Error('The font is a collection of fonts.');
  const ranges: TextFont['ranges'] = [];
  for (const point of [...font.characterSet].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && point === last[1] + 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
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

interface Style {
  css: string;
  /** By name in the folder of the stylesheet. */
  fonts: Map<string, Bundled<Uint8Array>>;
}

async function style(entry: string): Promise<Style> {
  const output = await bundle(
    {
      input: entry,
      output: {
        assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? '[name][extname]' : 'fonts/[name][extname]'),
      },
    },
    { plugins: [plainInter] },
  );
  const assets = output.flatMap((file) => (file.type === 'asset' ? [file] : []));
  const sheet = assets.find((asset) => asset.fileName.endsWith('.css'));
  if (!sheet) throw new Error(`${entry} produced no stylesheet.`);
  const fonts = assets.flatMap(({ fileName, source, originalFileNames }): [string, Bundled<Uint8Array>][] =>
    fileName === sheet.fileName
      ? []
      : [[fileName, { contents: Buffer.from(source), packages: packagesOf(originalFileNames.map((name) => resolve(name))) }]],
  );
  return { css: String(sheet.source), fonts: new Map(fonts) };
}

/**
 * Weights, as ranges of `@font-face` and as ranges of a file. The outlines of 400 are in each file, and those of 100 or of 900,
 * between which a browser interpolates: the theme uses 400 and more, so a page does not load those of 100.
 */
const CUTS = [
  { weights: '100 399', wght: { min: 100, max: 400 } },
  { weights: '400 900', wght: { min: 400, max: 900 } },
];

/**
 * Reduces each font to the characters of its rule, and cuts a variable font into a light and a heavy one. They look the same, but code has no ligatures.
 */
async function cutFonts({ css, fonts }: Style): Promise<Style> {
  const cut = new Map<string, Bundled<Uint8Array>>();
  const rules = new Map<string, string>();
  for (const [rule, name = ''] of css.matchAll(/@font-face\{[^}]*url\(\.\/(fonts\/[^)]+)\)[^}]*\}/g)) {
    const font = fonts.get(name);
    if (!font) throw new Error(`The stylesheet names the font "${name}", which is not in it.`);
    const characters = charactersOf(/unicode-range:([^;}]+)/.exec(rule)?.[1] ?? '');
    const add = async (suffix: string, options: Parameters<typeof subsetFont>[2]): Promise<string> => {
      const contents = await subsetFont(Buffer.from(font.contents), characters, options);
      const file = `fonts/${hashedName(`${basename(name, '.woff2')}${suffix}`, contents, 'woff2')}`;
      cut.set(file, { ...font, contents });
      return rule.replace(name, file);
    };
    const isVariable = rule.includes('100 900');
    const files = isVariable
      ? CUTS.map(async ({ weights, wght }) => {
          const part = await add(`-${weights.replace(' ', '-')}`, { targetFormat: 'woff2', variationAxes: { wght } });
          return part.replace('100 900', weights);
        })
      : [add('', { targetFormat: 'woff2', keepFeatures: [] })];
    rules.set(rule, (await Promise.all(files)).join(''));
  }
  if (rules.size !== fonts.size) throw new Error(`${fonts.size} fonts have ${rules.size} rules.`);
  return { css: css.replace(/@font-face\{[^}]*\}/g, (rule) => rules.get(rule) ?? rule), fonts: cut };
}

/** The characters of a `unicode-range`. */
function charactersOf(ranges: string): string {
  const points = [...ranges.matchAll(/U\+([\da-f?]+)(?:-([\da-f]+))?/gi)].flatMap(([, first = '', last]) => {
    const from = Number.parseInt(first.replaceAll('?', '0'), 16);
    const to = Number.parseInt(last ?? first.replaceAll('?', 'f'), 16);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return String.fromCodePoint(...points);
}

/** The licenses of the fonts, which each copy of them needs. */
async function fontLicenses(): Promise<Map<string, Bundled<Uint8Array>>> {
  const { resolve } = createRequire(import.meta.url);
  const packages = { inter: '@fontsource-variable/inter', 'geist-mono': '@fontsource/geist-mono' };
  const texts = Object.entries(packages).map(async ([font, name]): Promise<[string, Bundled<Uint8Array>]> => {
    const file = resolve(`${name}/LICENSE`);
    return [`fonts/${font}-LICENSE.txt`, { contents: await readFile(file), packages: packagesOf([file]) }];
  });
  return new Map(await Promise.all(texts));
}
