import type { ImageSize } from '../../../integration/export/image-sizes.ts';
import { createPageExporter } from '../../../integration/export/export-page.ts';
import { safeNames, type SafeNames } from '../../../integration/urls/safe-names.ts';
import { themeRules } from '../../../integration/export/theme-rules.ts';
import { createRemotePolicy } from '../../../integration/remote/remote-policy.ts';
import { createResolver, type Resolver } from '../../../integration/urls/resolver.ts';
import type { BuiltPage, PageSource } from '../../../integration/page/page-types.ts';

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

/** Names and resolver of a small site with awkward names. */
export function exampleSite(): { names: SafeNames; resolver: Resolver } {
  const names = safeNames(pages, files, ['carrel.json', 'llms.txt']);
  const resolver = createResolver({
    names,
    pages: pages.map((path) => ({ path })),
    files,
    redirects,
    redirectOf,
    home: '',
    rules: themeRules({}).urls,
  });
  return { names, resolver };
}

/** A page of that site as it is written. */
export async function exportedPage(
  path: string,
  html: string,
  options: {
    airGapped?: boolean;
    siteUrl?: string;
    vendored?: Map<string, string>;
    sizes?: Map<string, ImageSize>;
  } = {},
): Promise<string> {
  const written = new Map<string, string>();
  const { airGapped, sizes, vendored = new Map<string, string>() } = options;
  const deployment = airGapped ? 'air-gapped' : 'client-hosted';
  const rules = themeRules({});
  const write = createPageExporter({
    ...exampleSite(),
    deployment,
    siteUrl: options.siteUrl,
    vendored,
    imageSize: (file) => sizes?.get(file),
    policy: createRemotePolicy({ rules: rules.remote, deployment, vendored, write: () => {} }),
    rules,
    problems: [],
    incremental: {
      page: () => undefined,
      isSame: () => false,
      reusePage: () => false,
      record: (_, make) => make(),
      text: () => undefined,
      storeText: () => {},
      folder: {
        write(file, contents) {
          written.set(file, String(contents));
          return { sha256: '', size: 0, mtime: 0, inode: 0 };
        },
      },
    },
    indexes: { add: () => {}, keep: () => false },
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
