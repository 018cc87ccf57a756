// The fonts that docs.json names: files of the docs folder, @fontsource packages, or downloads.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Download } from '../../integration/remote/download.ts';
import { errorMessage } from '../../integration/errors.ts';
import type { ExportAsset } from '../../integration/export/export-site.ts';
import type { FontConfig } from './model.ts';
import type { DocsConfig } from '../source/docs-json.ts';

/** URL of the stylesheet that loads the site's fonts. */
export const fontSheet = '/_carrel/site-fonts.css';

export interface SiteFonts {
  /** The stylesheet and the files that it names; none if the site has the built-in font alone. */
  assets: ExportAsset[];
  /** The families that the export contains. */
  found: Set<string>;
  /** Why a font is not in the export, by its family. */
  missing: Map<string, string>;
}

export interface SiteFontOptions {
  /** The docs folder. */
  root: string;
  /** How fonts from external origins are downloaded. Without it, they are not. Throws an `Error` whose message is the end of a sentence. */
  download?: (url: URL) => Promise<Pick<Download, 'bytes'>>;
}

/** The font files of one family. */
interface FontFiles {
  family: string;
  rules: string[];
  files: ExportAsset[];
}

/** Finds the fonts of a site. A font that cannot be had is listed as missing. */
export async function findSiteFonts(fonts: DocsConfig['fonts'], options: SiteFontOptions): Promise<SiteFonts> {
  const missing = new Map<string, string>();
  const found = new Map<string, FontFiles>();
  for (const font of [fonts?.heading ?? fonts, fonts?.body ?? fonts]) {
    if (!hasFamily(font) || isBuiltInFont(font)) continue;
    const key = font.source === undefined ? font.family : JSON.stringify(font);
    if (found.has(key) || missing.has(font.family)) continue;
    try {
      found.set(key, isOwnFont(font) ? ownFont(font) : await sharedFont(font, options));
    } catch (error) {
      missing.set(font.family, errorMessage(error));
    }
  }
  const rules = new Set([...found.values()].flatMap((one) => one.rules));
  const files = new Map([...found.values()].flatMap((one) => one.files.map((file) => [file.path, file] as const)));
  const sheet = { path: fontSheet.slice(1), contents: [...rules].join('') };
  const families = new Set([...found.values()].map(({ family }) => family));
  return { assets: rules.size === 0 ? [] : [sheet, ...files.values()], found: families, missing };
}

function hasFamily(font: Partial<FontConfig> | undefined): font is FontConfig {
  return Boolean(font?.family);
}

export function isBuiltInFont({ family, source }: Partial<FontConfig>): boolean {
  return /^inter$/i.test(family?.trim() ?? '') && !source;
}

/** Whether a font is a file of the docs folder. */
export function isOwnFont(font: Partial<FontConfig>): boolean {
  return font.source !== undefined && !/^(?:[a-z]+:|\/\/)/i.test(font.source);
}

/** A font without a weight is treated as a variable font. */
function ownFont(font: FontConfig): FontFiles {
  const file = `/${font.source!.replace(/^(?:\.?\/)+/, '')}`;
  const format = font.format ?? (/\.(woff2?)$/i.exec(file)?.[1] ?? 'woff2').toLowerCase();
  const { family, weight } = font;
  return { family, rules: [fontFace({ family, url: encodeURI(file), format, weight })], files: [] };
}

async function sharedFont(font: FontConfig, { root, download }: SiteFontOptions): Promise<FontFiles> {
  if (font.source !== undefined) {
    if (!download) throw new Error('its file is on an external origin');
    return await downloadedFile(font, download);
  }
  const packaged = packagedFont(font, root);
  if (packaged) return packaged;
  if (!download) throw new Error(notInFolder);
  return await googleFont(font, download);
}

/** Why a family that only has its name is missing. */
export const notInFolder = 'it is neither a file nor a package of the docs folder';

/** The package of a family. */
export function fontPackage(family: string): string {
  return `@fontsource-variable/${fileName(family)} or @fontsource/${fileName(family)}`;
}

function fileName(family: string): string {
  return family
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The weights of text, of emphasis and of headings. */
const weights = [400, 500, 600, 700];
const packages = ['@fontsource-variable', '@fontsource'];
const ownModules = createRequire(import.meta.url);

/** The family in an @fontsource package that is installed for the docs folder or with Carrel. */
function packagedFont({ family, weight }: FontConfig, root: string): FontFiles | undefined {
  const name = fileName(family);
  const folder = packages.flatMap((scope) => packageFolder(`${scope}/${name}`, root) ?? [])[0];
  if (folder === undefined) return undefined;
  const sheets = folder.includes(`${sep}@fontsource-variable${sep}`)
    ? ['index.css', 'wght-italic.css']
    : [...new Set([...weights, ...(weight ? [weight] : [])])].flatMap((weight) => [`${weight}.css`, `${weight}-italic.css`]);
  const rules: string[] = [];
  const files: ExportAsset[] = [];
  for (const sheet of sheets) {
    for (const face of facesOf(readIfThere(join(folder, sheet)) ?? '')) {
      const file = insideOf(folder, face.url);
      if (file === undefined) continue;
      const path = `_carrel/fonts/${face.url.slice(face.url.lastIndexOf('/') + 1)}`;
      files.push({ path, contents: fontBytes(readFileSync(file)), origin: file });
      rules.push(fontFace({ ...face, family, url: path.slice('_carrel/'.length) }));
    }
  }
  if (rules.length === 0) return undefined;
  const license = readIfThere(join(folder, 'LICENSE'));
  if (license !== undefined)
    files.push({ path: `_carrel/fonts/${name}-LICENSE.txt`, contents: license, origin: join(folder, 'LICENSE') });
  return { family, rules, files };
}

function packageFolder(name: string, root: string): string | undefined {
  for (const modules of [createRequire(join(root, 'docs.json')), ownModules]) {
    try {
      return realpathSync(dirname(modules.resolve(`${name}/package.json`)));
    } catch {
      // The next one may have it.
    }
  }
  return undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** A file of the package; undefined for one that is missing or a link to somewhere else. */
function insideOf(folder: string, name: string): string | undefined {
  try {
    const file = realpathSync(join(folder, name));
    return file.startsWith(folder + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

interface Face {
  url: string;
  format: string;
  style?: string;
  weight?: string;
  range?: string;
}

/** The `@font-face` rules of a stylesheet with the first file of each. */
function facesOf(css: string): Face[] {
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, rule = '']) => {
    const value = (name: string) => new RegExp(`(?:^|[;\\s])${name}:\\s*([^;]+)`).exec(rule)?.[1]?.trim();
    const url = /url\(\s*["']?([^"')]+\.woff2)["']?\s*\)/.exec(value('src') ?? '')?.[1];
    if (url === undefined) return [];
    return [{ url, format: 'woff2', style: value('font-style'), weight: value('font-weight'), range: value('unicode-range') }];
  });
}

type DownloadFont = NonNullable<SiteFontOptions['download']>;

async function downloadedFile(font: FontConfig, download: DownloadFont): Promise<FontFiles> {
  const url = new URL(font.source!.replace(/^\/\//, 'https://'));
  const bytes = fontBytes((await download(url)).bytes);
  const format = formatOf(bytes) ?? 'woff2';
  const path = downloadedPath(font.family, bytes, format);
  const { family, weight } = font;
  return {
    family,
    rules: [fontFace({ family, url: path.slice('_carrel/'.length), format, weight })],
    files: [{ path, contents: bytes, origin: url.href }],
  };
}

/** Files of one family: those of Chinese, Japanese and Korean are cut into a hundred parts for each weight. */
const mostFiles = 600;

/** A variable font, or else the weights that the family has. */
async function googleFont({ family }: FontConfig, download: DownloadFont): Promise<FontFiles> {
  const sheet = await googleSheet(family, download);
  const rules: string[] = [];
  const files = new Map<string, ExportAsset>();
  const faces = facesOf(sheet);
  const urls = new Set(faces.map(({ url }) => url));
  if (urls.size === 0) throw new Error('its stylesheet names no font file');
  if (urls.size > mostFiles) throw new Error(`it has more than ${mostFiles} files`);
  for (const url of urls) {
    const bytes = fontBytes((await download(new URL(url))).bytes);
    files.set(url, { path: downloadedPath(family, bytes, 'woff2'), contents: bytes, origin: url });
  }
  for (const face of faces) {
    rules.push(fontFace({ ...face, family, url: files.get(face.url)!.path.slice('_carrel/'.length) }));
  }
  return { family, rules, files: [...files.values()] };
}

async function googleSheet(family: string, download: DownloadFont): Promise<string> {
  const name = encodeURIComponent(family).replaceAll('%20', '+');
  let reason: unknown;
  for (const axes of [':wght@100..900', ':wght@200..800', `:wght@${weights.join(';')}`, ':wght@400;700', '']) {
    try {
      const url = new URL(`https://fonts.googleapis.com/css2?family=${name}${axes}&display=swap`);
      return Buffer.from((await download(url)).bytes).toString();
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}

function downloadedPath(family: string, bytes: Uint8Array, format: string): string {
  return `_carrel/fonts/${fileName(family)}.${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.${format}`;
}

/** The bytes, if they are a font: a page of an error or a file of the machine is not. */
function fontBytes(bytes: Uint8Array): Uint8Array {
  if (formatOf(bytes) === undefined) throw new Error('its file is not a WOFF font');
  return bytes;
}

function formatOf(bytes: Uint8Array): 'woff' | 'woff2' | undefined {
  return ({ wOFF: 'woff', wOF2: 'woff2' } as const)[Buffer.from(bytes.subarray(0, 4)).toString('latin1')];
}

interface FontFace extends Omit<Face, 'weight'> {
  family: string;
  weight?: string | number;
}

function fontFace({ family, url, format, style, weight, range }: FontFace): string {
  const lines = [
    `font-family:${quoted(family)}`,
    `src:url(${quoted(url)}) format(${quoted(format)})`,
    `font-weight:${weight ?? '100 900'}`,
    ...(style && style !== 'normal' ? [`font-style:${style}`] : []),
    ...(range ? [`unicode-range:${range}`] : []),
    'font-display:swap',
  ];
  return `@font-face{${lines.join(';')}}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\\n<>]/g, '')}"`;
}
