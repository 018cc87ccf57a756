// The scripts of a site that is a single-page application, edited so that they run in the export: see reader/page-app.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetText } from '../page/asset.ts';
import type { SiteContext, SiteFixes } from '../export/export-input.ts';
import { escapeAttribute } from '../page/rewrite-page.ts';
import { urlFunctions } from '../scripts/import-stub.ts';
import { moduleFiles } from '../scripts/module-files.ts';
import { moduleScripts } from '../scripts/module-scripts.ts';
import { scriptWithSiteLocation } from '../scripts/site-location.ts';
import type { Edit } from '../text/edit.ts';
import { encodePath, relativeUrl } from '../urls/relative-url.ts';
import { appPages } from './app-pages.ts';
import type { AppEdits, PageApp } from './page-apps.ts';
import type { SiteFile } from './read-folder.ts';
import type { StaticSite } from './static-site.ts';

/** The public path of webpack: `n.p="/docs/"`, with the property before the path. */
const publicPath = /(\.p\s*=\s*)(["'`])(\/(?!\/)[^"'`\\]*)\2/;
const webpackRuntime = /(?:^|\/)runtime~main\.\w+\.js$/;

/** Whether the scripts of an application can run in an export. `assets` are paths below `root`. */
export function canRun(app: PageApp, root: string, assets: string[]): boolean {
  const starting = assets.filter((path) => app.script.test(path));
  if (app.loads === 'modules') return starting.length > 0 && assets.some((path) => app.others.test(path));
  const runtimes = starting.filter((path) => webpackRuntime.test(path));
  return runtimes.length > 0 && runtimes.every((path) => publicPath.test(readFileSync(join(root, path), 'utf8')));
}

export interface AppScriptsInput extends SiteContext {
  app: PageApp;
  site: StaticSite;
  pages: SiteFile[];
  /** Pages that only redirect. */
  redirects: SiteFile[];
  /** The code of reader/page-app.ts. */
  pageApp: string;
}

export interface AppScripts extends Required<Pick<SiteFixes, 'isExcluded' | 'rewritten' | 'write'>> {
  /** Lets a page start its application. */
  edit(path: string, found: AppEdits): Edit[];
}

/** A fixed name, so that a new page does not change any other. */
const scriptFile = '_carrel/site-app.js';
const unknownOrigin = 'https://site.invalid';

export function openAppScripts(input: AppScriptsInput): AppScripts {
  const { app, site, pages, redirects, pageApp, assets, names, resolver, folder, vendored, problems } = input;
  const { base } = site;
  const origin = site.url === undefined ? unknownOrigin : new URL(site.url).origin;
  const byPath = new Map(assets.map((asset) => [asset.path, asset]));
  const files = new Map(pages.map(({ path, file }) => [path, file]));
  const siteUrlOf = (path: string, canonical: string | undefined): string => {
    const target = canonical === undefined ? undefined : resolver.resolve(canonical, path);
    if (canonical !== undefined && target?.kind === 'page' && target.page === path) return new URL(canonical, origin).pathname;
    if (app.loads === 'webpack') return base + encodePath(path);
    return base + encodePath((files.get(path) ?? '').replace(/(^|\/)index\.html$/, '$1'));
  };
  let modules: Promise<Map<string, string>> | undefined;
  const convertModules = async (): Promise<Map<string, string>> => {
    const nameOf = (path: string) => names.asset(path);
    const vendoredText = (file: string) => (folder.files.has(file) ? folder.read(file) : undefined);
    const { texts, problems: found } = await moduleScripts({
      entries: [...byPath.keys()].filter((path) => app.script.test(path) || app.others.test(path)).map((path) => `/${path}`),
      files: moduleFiles({ assets, nameOf, base, inline: new Map(), imports: new Map(), vendored, vendoredText }),
      nameOf: (id) => (byPath.has(id.slice(1)) ? names.asset(id.slice(1)) : id.slice(1)),
    });
    problems.push(...found);
    for (const [file, text] of texts) if (file.startsWith('_carrel/')) folder.write(file, text);
    return texts;
  };

  return {
    edit(path, { start: found, canonical }) {
      if (!found) return [];
      const from = encodePath(names.page(path));
      const attributes = {
        src: relativeUrl(from, scriptFile),
        'data-url': siteUrlOf(path, canonical),
        ...(found.module === undefined ? {} : { 'data-start': found.module }),
      };
      const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeAttribute(value, '"')}"`);
      const text = `<script ${[...(found.isDeferred ? ['defer'] : []), ...written].join(' ')}></script>`;
      return [{ start: found.start, end: found.end, text }];
    },
    isExcluded: (path) => app.excluded?.test(path) === true,
    async rewritten(path) {
      const asset = byPath.get(path);
      if (asset === undefined || !path.endsWith('.js')) return undefined;
      if (app.loads === 'modules') return (await (modules ??= convertModules())).get(names.asset(path));
      if (!app.others.test(path)) return undefined;
      const code = assetText(asset);
      return scriptWithSiteLocation(webpackRuntime.test(path) ? code.replace(publicPath, atRoot(base)) : code);
    },
    async write() {
      const files = [...pages.map(({ path }) => ({ path, file: names.page(path) })), ...redirects];
      const data = appPages(files, { origin, base });
      folder.write(
        scriptFile,
        `(()=>{"use strict";\n${urlFunctions(base)}const __carrel_pages=${JSON.stringify(data)};\n${pageApp}})();\n`,
      );
    },
  };
}

/** Replaces the public path by the URL of its folder in the export. */
function atRoot(base: string): (match: string, before: string, quote: string, path: string) => string {
  return (_match, before, _quote, path) =>
    `${before}__carrel_application.root+${JSON.stringify(path.startsWith(base) ? path.slice(base.length) : path.slice(1))}`;
}
