// docs folder → source → site → pages → export, in one call: what the command line and the jobs run.
import { createHash } from 'node:crypto';
import type { Deployment } from '../integration/bundle/manifest.ts';
import { exportSite, type ExportReport } from '../integration/export/export-site.ts';
import type { Problem } from '../integration/problem.ts';
import type { Progress } from '../integration/progress.ts';
import { defaultCacheFolder, openStore } from './cache/store.ts';
import { press, type PressOptions } from './press.ts';
import { ensureTheme } from './setup/ensure-theme.ts';
import { buildSite } from './site/build-site.ts';
import type { Site } from './site/model.ts';
import { readSource } from './source/read-source.ts';
import { loadTheme, type Theme } from './theme/load.ts';
import { carrelVersion } from './version.ts';

export interface ExportDocsOptions {
  /** The docs folder. */
  source: string;
  /** Folder to write; replaced whole. */
  out: string;
  zip?: string;
  siteUrl?: string;
  language?: string;
  docsVersion?: string;
  label?: string;
  deployment: Deployment;
  vendor: boolean;
  /** Folder of the cache, or false for none. */
  cache?: string | false;
  now: number;
  environment: NodeJS.ProcessEnv;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export const generator = `carrel/${carrelVersion}`;

/** Exports a docs folder. Throws an ExportError when it cannot; the folder that was there before then stays as it was. */
export async function exportDocs(options: ExportDocsOptions): Promise<ExportReport & { navigation: Site['navigation'] }> {
  const started = performance.now();
  const source = await readSource(options.source);
  const site = buildSite(source, { language: options.language, docsVersion: options.docsVersion, siteUrl: options.siteUrl });
  options.onProgress?.({ stage: 'read', done: site.pages.length, total: site.pages.length });
  const read = (performance.now() - started) / 1000;

  const theme = await loadTheme(await ensureTheme());
  const problems: Problem[] = [];
  const store = options.cache === false ? undefined : openCache(options, problems);
  try {
    const report = await exportSite(
      {
        name: site.name,
        description: site.config.description,
        pages: press(site, pressOptions(site, theme, options.siteUrl, store)),
        notFound: { html: await theme.render(notFoundView(site, theme)) },
        assets: [...source.assets, ...theme.assets],
        redirects: site.redirects,
        home: site.home,
        defaultLanguage: site.defaultLanguage,
        defaultDocsVersion: site.defaultDocsVersion,
        problems: [...site.problems, ...problems],
      },
      { ...options, sourceRoot: source.root, generator, cache: store },
    );
    return { ...report, seconds: { read, ...report.seconds }, navigation: site.navigation };
  } finally {
    store?.close();
  }
}
