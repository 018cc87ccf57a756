// mkdocs.yml: https://www.mkdocs.org/user-guide/configuration/ and https://squidfunk.github.io/mkdocs-material/setup/
import { resolve } from 'node:path';
import {
  defined,
  isExternal,
  keyNotes,
  listOf,
  objectOf,
  socialsOf,
  textOf,
  type Entry,
  type Imported,
  type ImportNote,
  type Json,
} from './imported.ts';
import { readYaml } from './read-yaml.ts';

// The colors of Material for MkDocs, as its documentation names them.
const palette: Record<string, string> = {
  red: '#ef5552', pink: '#e92063', purple: '#ab47bd', 'deep purple': '#7e56c2', indigo: '#4051b5', blue: '#2094f3', 'light blue': '#02a6f2',
  cyan: '#00bdd6', teal: '#009485', green: '#4cae4f', 'light green': '#8bc34b', lime: '#cbdc38', yellow: '#ffec3d', amber: '#ffc105',
  orange: '#ffa724', 'deep orange': '#ff6e42', brown: '#795649', black: '#000000',
}; // prettier-ignore

const known = [
  'site_name',
  'site_description',
  'site_url',
  'repo_url',
  'repo_name',
  'edit_uri',
  'docs_dir',
  'theme',
  'nav',
  'extra',
  'plugins',
  'markdown_extensions',
  'extra_css',
  'site_author',
  'copyright',
  'site_dir',
  'use_directory_urls',
  'strict',
  'validation',
  'exclude_docs',
  'not_in_nav',
  'watch',
  'dev_addr',
  'INHERIT',
];

export function importMkdocs(root: string, file: string): Imported {
  const { config, lineOf } = readYaml(root, file);
  const notes: ImportNote[] = [];
  const note = (path: (string | number)[], message: string): void => void notes.push({ file, line: lineOf(path), message });

  const theme = objectOf(config.theme);
  const features = listOf(theme.features);
  const extra = objectOf(config.extra);
  const pagesFolder = resolve(root, file, '..', textOf(config.docs_dir) ?? 'docs');
  const repository = textOf(config.repo_url);
  const redirects: Json[] = [];
  for (const [index, plugin] of listOf(config.plugins).entries()) {
    const [name, options] = typeof plugin === 'string' ? [plugin, {}] : (Object.entries(objectOf(plugin))[0] ?? ['', {}]);
    if (name === 'redirects') redirects.push(...redirectsOf(objectOf(objectOf(options).redirect_maps)));
    else if (
      ![
        'search',
        'tags',
        'privacy',
        'offline',
        'minify',
        'git-revision-date-localized',
        'git-revision-date',
        'autorefs',
      ].includes(name)
    )
      note(['plugins', index], `The plugin "${name}" has no counterpart: what it adds to pages is missing.`);
  }
  notes.push(...keyNotes(file, config, known, (key) => lineOf([key])));
  if (config.INHERIT !== undefined)
    note(['INHERIT'], 'INHERIT is not followed. Import the file that it names, too, and merge the results.');

  const links: { title: string; href: string }[] = [];
  const entries = listOf(config.nav).flatMap((item, index) => entryOf(item, ['nav', index]));

  function entryOf(item: unknown, path: (string | number)[]): Entry[] {
    if (typeof item === 'string') return isExternal(item) ? link(item, item) : [pagePath(item)];
    return Object.entries(objectOf(item)).flatMap(([title, value]): Entry[] => {
      if (typeof value === 'string') return isExternal(value) ? link(title, value) : [pagePath(value)];
      if (!Array.isArray(value)) {
        note(path, `"${title}" has neither a page nor a list of pages.`);
        return [];
      }
      const pages = value.flatMap((inner, index) => entryOf(inner, [...path, title, index]));
      return pages.length > 0 ? [{ group: title, pages }] : [];
    });
  }
  function link(title: string, href: string): Entry[] {
    links.push({ title, href });
    return [];
  }

  const hasTabs = features.includes('navigation.tabs') && entries.some((entry) => typeof entry !== 'string');
  const primary = paletteOf(theme.palette);
  return {
    generator: 'MkDocs',
    files: [file],
    pagesFolder,
    notes,
    config: defined({
      name: textOf(config.site_name),
      description: textOf(config.site_description),
      colors: primary && { primary },
      logo: textOf(theme.logo) && `/${textOf(theme.logo)}`,
      favicon: textOf(theme.favicon) && `/${textOf(theme.favicon)}`,
      navigation: defined({
        ...(hasTabs
          ? {
              tabs: entries.map((entry) =>
                typeof entry === 'string' ? { tab: titleOf(entry), pages: [entry] } : { tab: entry.group, pages: entry.pages },
              ),
            }
          : { pages: entries }),
        global: links.length > 0 ? { anchors: links.map(({ title, href }) => ({ anchor: title, href })) } : undefined,
      }),
      navbar: repository && {
        links: [
          {
            type: /github\.com/.test(repository) ? 'github' : undefined,
            label: textOf(config.repo_name) ?? 'Repository',
            href: repository,
          },
        ],
      },
      footer: defined({ socials: socialsOf(listOf(extra.social).map((one) => objectOf(one))) }),
      feedback: config.edit_uri === undefined ? undefined : { suggestEdit: true },
      redirects,
    }),
  };
}

function paletteOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? objectOf(value.find((one) => objectOf(one).primary !== undefined)) : objectOf(value);
  return palette[textOf(first.primary) ?? ''];
}

function redirectsOf(map: Json): Json[] {
  return Object.entries(map).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const [path = '', hash] = to.split('#');
    const destination = isExternal(to) ? to : `/${pagePath(path)}${hash === undefined ? '' : `#${hash}`}`;
    return [{ source: `/${pagePath(from)}`, destination }];
  });
}

function titleOf(page: string): string {
  const name = page
    .replace(/\/?index$/, '')
    .split('/')
    .at(-1)!;
  return name === '' ? 'Home' : name.replaceAll(/[-_]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** `guide/install.md` → `guide/install` */
function pagePath(file: string): string {
  return file
    .replace(/^\.?\//, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)README$/i, '$1index');
}
