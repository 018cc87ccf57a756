// .vitepress/config.{ts,mts,js,mjs}: https://vitepress.dev/reference/default-theme-config
import { join, resolve } from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { listOf, objectOf } from '../../integration/text/json.ts';
import {
  defined,
  isExternal,
  keyNotes,
  socialsOf,
  field,
  unreadNotes,
  type Entry,
  type Imported,
  type Json,
} from './imported.ts';
import { readModule } from './read-module.ts';
import { escapePattern } from '../../integration/text/path-patterns.ts';

export const vitepressFiles = ['ts', 'mts', 'js', 'mjs'].flatMap((extension) => [
  `.vitepress/config.${extension}`,
  `.vitepress/config/index.${extension}`,
]);
const needed =
  /^(?:title|description|srcDir|rewrites|markdown\.attrs|locales|themeConfig|transform\w+|)$|^(?:locales\..*)?themeConfig\.(?:sidebar|nav|logo|socialLinks)|^locales\.[^.]+\.(?:label|lang|themeConfig\.(?:sidebar|nav))/;
const known =
  'title description base lang head srcDir outDir cacheDir locales themeConfig cleanUrls lastUpdated appearance markdown vite vue sitemap metaChunk ignoreDeadLinks titleTemplate srcExclude rewrites extends'.split(
    ' ',
  );

export function importVitepress(root: string, file: string): Imported {
  const { value, unread } = readModule(join(root, file), root);
  const config = objectOf(value);
  const folder = resolve(root, file, file.includes('/config/') ? '../../..' : '../..');
  const pagesFolder = resolve(folder, field(config.srcDir) ?? '.');
  const notes = [...unreadNotes(unread, needed), ...keyNotes(file, config, known)];
  const rewrites = rewritesOf(objectOf(config.rewrites), pagesFolder);
  const { leftDelimiter = '{' } = objectOf(objectOf(config.markdown).attrs);
  if (leftDelimiter !== '{' && leftDelimiter !== '%{')
    notes.push({
      file,
      message: `The delimiters of attributes in pages (${String(leftDelimiter)}) are not known: write {#id} or %{#id}%.`,
    });
  const theme = objectOf(config.themeConfig);
  const allLocales = Object.entries(objectOf(config.locales));
  const locales = allLocales.filter(([, locale]) => !elsewhere(locale));
  const languages = locales.length > 1 ? locales : [];
  const navigation =
    languages.length > 0
      ? {
          languages: languages.map(([key, locale]) => ({
            language: (field(objectOf(locale).lang) ?? (key === 'root' ? 'en' : key)).split('-')[0],
            ...navigationOf({ ...theme, ...objectOf(objectOf(locale).themeConfig) }, pagesFolder, key === 'root' ? '' : key),
          })),
        }
      : navigationOf(theme, pagesFolder, '');
  const tabs = [navigation, ...listOf(objectOf(navigation).languages)].flatMap((one) => listOf(objectOf(one).tabs).map(objectOf));
  const names = new Set(tabs.map(({ tab }) => tab));
  const lost = [
    ...lostLinks(theme, { where: '', isKept: ({ text, link }) => names.has(text) || isExternal(link) }),
    ...languages.flatMap(([key, locale]) =>
      lostLinks(objectOf(objectOf(locale).themeConfig), { where: ` of "${key}"`, isKept: ({ text }) => names.has(text) }),
    ),
    ...allLocales.flatMap(([key, locale]) => (elsewhere(locale) ? [`The language "${key}" (${elsewhere(locale)})`] : [])),
  ];
  notes.push(...lost.map((what) => ({ file, message: `${what} is not imported.` })));
  const logo = objectOf(theme.logo);
  return {
    generator: 'VitePress',
    files: [file],
    pagesFolder,
    notes,
    config: defined({
      name: field(config.title),
      description: field(config.description),
      logo: logoOf(theme.logo, logo),
      navigation: byFile(navigation, rewrites),
      rewrites,
      navbar: defined({ links: listOf(theme.nav).map(objectOf).flatMap(navbarLink) }),
      footer: defined({ socials: socialsOf(listOf(theme.socialLinks).map(objectOf)) }),
      feedback: theme.editLink === undefined ? undefined : { suggestEdit: true },
      metadata: config.lastUpdated === true ? { timestamp: true } : undefined,
    }),
  };
}

/** The paths of pages that `rewrites` moves, by those of their files. A pattern is `packages/:name/docs/:rest*`. */
function rewritesOf(given: Json, folder: string): Json {
  const patterns = Object.entries(given).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const source = from.split(/(:\w+\*?)/).map((part) => {
      const [, name, star] = /^:(\w+)(\*)?$/.exec(part) ?? [];
      return name === undefined ? escapePattern(part) : `(?<${name}>${star ? '.*' : '[^/]+'})`;
    });
    return [{ pattern: new RegExp(`^${source.join('')}$`), to }];
  });
  if (patterns.length === 0 || !existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return Object.fromEntries(
    files.flatMap((file) => {
      if (!file.endsWith('.md') || file.includes('node_modules/')) return [];
      for (const { pattern, to } of patterns) {
        const { groups } = pattern.exec(file) ?? {};
        if (groups === undefined && !pattern.test(file)) continue;
        const path = to.replace(/:(\w+)\*?/g, (_, name: string) => groups?.[name] ?? '').replace(/(?:\/?index)?\.md$/, '');
        return [[file.replace(/\.md$/, ''), `/${path}`]];
      }
      return [];
    }),
  );
}

/** The navigation with the files of pages, for it has their paths. */
function byFile(navigation: unknown, rewrites: Json): unknown {
  const files = new Map(Object.entries(rewrites).map(([file, path]) => [String(path).slice(1), file]));
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') return files.get(value.replace(/(?:^|\/)index$/, '')) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, typeof inner === 'string' && key !== 'root' ? inner : named(inner)]),
    );
  };
  return files.size === 0 ? navigation : named(navigation);
}

function logoOf(value: unknown, { light, dark, src }: Json): unknown {
  // Files of public/ are at the root of the site.
  const path = field(value) ?? field(src);
  if (path !== undefined) return `/public${path.startsWith('/') ? '' : '/'}${path}`;
  return field(light) && field(dark) ? { light: `/public${field(light)}`, dark: `/public${field(dark)}` } : undefined;
}

/** Tabs for a sidebar of several paths, groups for a single one. */
function navigationOf(theme: Json, folder: string, language: string): Json {
  if (Array.isArray(theme.sidebar)) return { pages: theme.sidebar.flatMap((item) => entryOf(item, '', folder)) };
  const nav = listOf(theme.nav)
    .map(objectOf)
    .flatMap((item) => [item, ...listOf(item.items).map(objectOf)]);
  const tabs = Object.entries(objectOf(theme.sidebar)).flatMap(([prefix, sidebar]) => {
    const { base, items } = Array.isArray(sidebar) ? { base: '', items: sidebar } : objectOf(sidebar);
    const pages = listOf(items).flatMap((item) => entryOf(item, field(base) ?? '', folder));
    const named = nav.find((item) => typeof item.link === 'string' && item.link.startsWith(prefix));
    const segment = prefix.split('/').filter(Boolean).at(-1);
    const title =
      field(named?.text) ??
      (segment === undefined || segment === language ? 'Docs' : segment.replace(/^./, (letter) => letter.toUpperCase()));
    return pages.length > 0 ? [{ tab: title, pages }] : [];
  });
  // Several paths can show one sidebar.
  const different = [...Map.groupBy(tabs, ({ pages }) => JSON.stringify(pages)).values()].map(([first]) => first!);
  return different.length === 1 ? { pages: different[0]!.pages } : { tabs: different };
}

const elsewhere = (locale: unknown): string | undefined => field(objectOf(locale).link)?.match(/^https?:.*/)?.[0];

interface LinkedText {
  text: string;
  link: string;
}

/** What the navigation bar and the footer of a language link to, without the links that are kept. */
function lostLinks(theme: Json, { where, isKept }: { where: string; isKept: (link: LinkedText) => boolean }): string[] {
  const links = listOf(theme.nav).flatMap((item) => {
    const { items, ...one } = objectOf(item);
    const [text, link] = [field(one.text) ?? '', field(one.link)];
    if (Array.isArray(items)) return [`The menu "${text}" of the navigation bar${where}`];
    return link === undefined || isKept({ text, link }) ? [] : [`The link "${text}" (${link}) of the navigation bar${where}`];
  });
  const { message, copyright } = objectOf(theme.footer);
  return (field(message) ?? field(copyright)) ? [...links, `The text of the footer${where}`] : links;
}

function entryOf(item: unknown, base: string, folder: string): Entry[] {
  const { text, link, items, collapsed, base: own } = objectOf(item);
  const prefix = field(own) ?? base;
  const page = typeof link === 'string' && !isExternal(link) ? pageOf(prefix + link, folder) : undefined;
  if (!Array.isArray(items)) return page === undefined ? [] : [page];
  const pages = items.flatMap((inner) => entryOf(inner, prefix, folder));
  if (pages.length === 0) return page === undefined ? [] : [page];
  const about = defined({ group: field(text) ?? 'Pages', root: page, expanded: collapsed === false ? true : undefined });
  return [{ ...(about as { group: string }), pages }];
}

/** `/guide/` → `guide/index`, `/guide/install.html#npm` → `guide/install` */
function pageOf(link: string, folder: string): string {
  const [path = ''] = link.split(/[?#]/);
  const clean = path.replace(/^\/+/, '').replace(/\.(?:html|md)$/, '');
  if (clean === '' || clean.endsWith('/')) return `${clean}index`;
  return existsSync(join(folder, `${clean}.md`)) || !existsSync(join(folder, clean, 'index.md')) ? clean : `${clean}/index`;
}

function navbarLink({ text, link }: Json): Json[] {
  const [label, href] = [field(text), field(link)];
  return label !== undefined && href !== undefined && isExternal(href) ? [{ label, href }] : [];
}
