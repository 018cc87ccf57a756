// The modules of a built site: files below its root, and inline scripts of its pages.
import { assetText, type ExportAsset } from '../page/asset.ts';
import { encodePath } from '../urls/relative-url.ts';
import { isExternal } from '../urls/external-url.ts';
import { decode } from '../urls/parts.ts';
import type { Module, ModuleSite } from './rewrite-module.ts';

/** An inline script. */
export interface InlineModule {
  code: string;
  /** File of the page, and the position of the script in it. */
  page: string;
  line: number;
  /** Root-absolute URL that relative URLs start from. */
  url: string;
}

export interface ModuleFiles extends ModuleSite {
  /** Id of what a module imports, or the URL itself if it is external; undefined if there is none. */
  resolve(specifier: string, importer: string): string | undefined;
  /** Ids of the scripts whose URLs begin with the prefix; empty for a prefix that is too general. */
  below(prefix: string, importer: string): string[];
  read(id: string): Module;
  /** The file and line of a module, for problems. */
  location(id: string): { page: string; line: number };
}

export interface ModuleFilesInput {
  assets: ExportAsset[];
  /** Path in the export of an asset. */
  nameOf(path: string): string;
  base: string;
  inline: Map<string, InlineModule>;
  /** URLs by bare specifier, from the import maps of the pages. */
  imports: Map<string, string>;
  /** Files in the export by their external URLs. */
  vendored: Map<string, string>;
  /** Text of a vendored file; undefined if there is none. */
  vendoredText(file: string): string | undefined;
}

/** The id of a file is its path with a slash before it: in the site, or in the export if it was vendored. */
export function moduleFiles(input: ModuleFilesInput): ModuleFiles {
  const { assets, nameOf, base, inline, imports, vendored, vendoredText } = input;
  const byPath = new Map(assets.map((asset) => [asset.path, asset]));
  const byName = new Map(assets.map(({ path }) => [encodePath(nameOf(path)), path]));

  const fileOf = (url: string): string | undefined => {
    const path = decode(url.replace(/[?#].*$/s, ''));
    const inside = path.startsWith(base) ? path.slice(base.length) : path.slice(1);
    return byPath.has(inside) || vendoredText(inside) !== undefined ? `/${inside}` : undefined;
  };
  const ownUrl = (url: string): string | undefined => {
    if (!isExternal(url)) return fileOf(url) === undefined ? undefined : url;
    const file = vendored.get(url);
    if (file === undefined) return undefined;
    const [path = '', fragment] = file.split('#', 2);
    return base + encodePath(byName.get(path) ?? decode(path)) + (fragment === undefined ? '' : `#${fragment}`);
  };
  const urlOf = (specifier: string, importer: string): string | undefined => {
    if (/^\.{0,2}\//.test(specifier) || /^[a-z][a-z0-9+.-]*:/i.test(specifier)) {
      const from = inline.get(importer)?.url ?? base + encodePath(importer.slice(1));
      const url = URL.parse(specifier, `http://site.invalid${from}`);
      if (url?.host === 'site.invalid') return url.pathname;
      return ownUrl(specifier) ?? url?.href;
    }
    const mapped = imports.get(specifier);
    if (mapped !== undefined) return ownUrl(mapped) ?? mapped;
    const folder = [...imports.keys()]
      .filter((name) => name.endsWith('/') && specifier.startsWith(name))
      .sort()
      .at(-1);
    return folder === undefined ? undefined : imports.get(folder)! + specifier.slice(folder.length);
  };

  return {
    ownUrl,
    hasOther: vendored.size > 0,
    isExternal: (specifier, importer) => isExternal(urlOf(specifier, importer) ?? ''),
    resolve(specifier, importer) {
      const url = urlOf(specifier, importer);
      return url === undefined || isExternal(url) || url.startsWith('data:') ? url : fileOf(url);
    },
    below(prefix, importer) {
      const url = /^\.{0,2}\/./.test(prefix) ? urlOf(prefix, importer) : undefined;
      const start = url?.startsWith(base) ? url.slice(base.length) : '';
      if (start === '') return [];
      return [...byPath.keys()]
        .filter((path) => path.startsWith(decode(start)) && /\.m?js$/.test(path))
        .map((path) => `/${path}`);
    },
    read(id) {
      const script = inline.get(id);
      if (script) return { id, code: script.code };
      if (id.startsWith('data:')) return { id, code: dataText(id) };
      const path = id.slice(1);
      const asset = byPath.get(path);
      const text = asset ? assetText(asset) : vendoredText(path)!;
      return { id, code: moduleText(id, text), file: encodePath(asset ? nameOf(path) : path) };
    },
    location(id) {
      const script = inline.get(id);
      return script ? { page: script.page, line: script.line } : { page: id.slice(1), line: 1 };
    },
  };
}

/** The kind of module that a file is. */
function moduleText(id: string, text: string): string {
  if (/\.json$/i.test(id)) return `export default ${text.trim()}`;
  if (/\.css$/i.test(id))
    return `const sheet=new CSSStyleSheet();sheet.replaceSync(${JSON.stringify(text)});export default sheet`;
  return text;
}

function dataText(url: string): string {
  const comma = url.indexOf(',');
  const text = decode(url.slice(comma + 1));
  return /;base64$/i.test(url.slice(0, comma)) ? Buffer.from(text, 'base64').toString() : text;
}
