import { createPageExporter } from '../../../integration/export/export-page.ts';
import { safeNames } from '../../../integration/urls/safe-names.ts';
import { themeRules } from '../../../integration/export/theme-rules.ts';
import { createRemotePolicy } from '../../../integration/remote/policy.ts';
import { createResolver } from '../../../integration/urls/resolver.ts';
import type { ExportFolder } from '../../../integration/output/export-folder.ts';
import type { BuiltPage, PageSource } from '../../../integration/page/built-page.ts';

const pages = ['', 'guides/install', 'guides/use', 'reference', 'café', 'c#', '100%', 'what?', "it's", 'a/con', 'Lower', 'lower'];
const files = [
  '_carrel/reader.css',
  '_carrel/reader.js',
  'styles/own.css',
  'images/logo.svg',
  'images/a b.png',
  'files/report.pdf',
  'files/film.mp4',
];
const redirects = [
  { from: '/old/path', to: '/older/path#there' },
  { from: 'older/path', to: '/guides/use' },
  { from: '/away', to: 'https://example.com/away' },
  { from: '/loop/a', to: '/loop/b' },
  { from: '/loop/b', to: '/loop/a' },
];

// Everything below the folder that was moved away.
const redirectOf = (path: string) => (path.startsWith('moved/') ? '/guides/install' : undefined);

/** Names and targets of a small site with awkward names. */
export function exampleTargets() {
  const names = safeNames(pages, files, ['carrel.json', 'llms.txt']);
  const targets = createResolver({
    names,
    pages: pages.map((path) => ({ path })),
    files,
    redirects,
    redirectOf,
    home: '',
    rules: themeRules({}).urls,
  });
  return { names, targets };
}

/** A page of that site as it is written. */
export async function exportedPage(
  path: string,
  html: string,
  options: { airGapped?: boolean; siteUrl?: string; vendored?: Map<string, string> } = {},
): Promise<string> {
  const written = new Map<string, string>();
  const { airGapped, vendored = new Map<string, string>() } = options;
  const deployment = airGapped ? 'air-gapped' : 'client-hosted';
  const rules = themeRules({});
  const write = createPageExporter({
    ...exampleTargets(),
    deployment,
    siteUrl: options.siteUrl,
    vendored,
    policy: createRemotePolicy({ rules: rules.remote, deployment, vendored, write: () => {} }),
    rules,
    problems: [],
    previous: { page: () => undefined, isSame: () => false, reusePage: () => false },
    indexes: { add: () => {}, keep: () => false },
    folder: { write: (file: string, contents: string) => written.set(file, contents) } as unknown as ExportFolder,
  });
  await write(pageSource({ path, html }));
  return [...written.values()][0]!;
}

/** A page with everything a test does not speak of filled in. */
export function pageSource(page: Partial<BuiltPage> & { path: string }, source: Partial<PageSource> = {}): PageSource {
  const built: BuiltPage = {
    html: '',
    title: page.path || 'Home',
    language: 'en',
    searchable: true,
    inSitemap: true,
    inLlms: true,
    ...page,
  };
  return { path: page.path, build: async () => built, ...source };
}
