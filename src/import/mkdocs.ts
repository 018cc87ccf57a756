// mkdocs.yml: https://www.mkdocs.org/user-guide/configuration/ and https://squidfunk.github.io/mkdocs-material/setup/
import { resolve } from 'node:path';
import { listOf, objectOf } from '../../integration/text/json.ts';
import {
  defined,
  field,
  isExternal,
  keyNotes,
  pagePath,
  repositoryNavbar,
  socialsOf,
  titleOfName,
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

const known =
  `site_name site_description site_url repo_url repo_name edit_uri docs_dir theme nav extra plugins markdown_extensions extra_css site_author
copyright site_dir use_directory_urls strict validation exclude_docs not_in_nav watch dev_addr INHERIT`.split(/\s+/);
/** Plugins that change nothing of the pages, or whose work an export does itself. */
const knownPlugins = 'search tags privacy offline minify git-revision-date-localized git-revision-date autorefs'.split(' ');

type Note = (path: (string | number)[], message: string) => void;

export function importMkdocs(root: string, file: string): Imported {
  const { config, lineOf } = readYaml(root, file);
  const notes: ImportNote[] = [];
  const note: Note = (path, message) => void notes.push({ file, line: lineOf(path), message });
  const theme = objectOf(config.theme);
  const redirects = redirectsOfPlugins(config.plugins, note);
  notes.push(...keyNotes(file, config, known, (key) => lineOf([key])));
  if (config.INHERIT !== undefined)
    note(['INHERIT'], 'INHERIT is not followed. Import the file that it names, too, and merge the results.');
  const primary = paletteOf(theme.palette);
  return {
    generator: 'MkDocs',
    files: [file],
    pagesFolder: resolve(root, file, '..', field(config.docs_dir) ?? 'docs'),
    notes,
    config: defined({
      name: field(config.site_name),
      description: field(config.site_description),
      colors: primary && { primary },
      logo: field(theme.logo) && `/${field(theme.logo)}`,
      favicon: field(theme.favicon) && `/${field(theme.favicon)}`,
      navigation: navigationOf(config.nav, listOf(theme.features).includes('navigation.tabs'), note),
      navbar: repositoryNavbar(field(config.repo_url), field(config.repo_name)),
      footer: defined({ socials: socialsOf(listOf(objectOf(config.extra).social).map((one) => objectOf(one))) }),
      feedback: config.edit_uri === undefined ? undefined : { suggestEdit: true },
      redirects,
    }),
  };
}

function redirectsOfPlugins(plugins: unknown, note: Note): Json[] {
  return listOf(plugins).flatMap((plugin, index) => {
    const [name, options] = typeof plugin === 'string' ? [plugin, {}] : (Object.entries(objectOf(plugin))[0] ?? ['', {}]);
    if (name === 'redirects') return redirectsOf(objectOf(objectOf(options).redirect_maps));
    if (!knownPlugins.includes(name))
      note(['plugins', index], `The plugin "${name}" has no counterpart: what it adds to pages is missing.`);
    return [];
  });
}

/** Pages by groups or tabs. Links to other sites become anchors. */
function navigationOf(nav: unknown, wantsTabs: boolean, note: Note): Json {
  const anchors: Json[] = [];
  const pageOf = (title: string, target: string): Entry[] => {
    if (!isExternal(target)) return [pagePath(target)];
    anchors.push({ anchor: title, href: target });
    return [];
  };
  const entryOf = (item: unknown, path: (string | number)[]): Entry[] => {
    if (typeof item === 'string') return pageOf(item, item);
    return Object.entries(objectOf(item)).flatMap(([title, value]): Entry[] => {
      if (typeof value === 'string') return pageOf(title, value);
      if (!Array.isArray(value)) {
        note(path, `"${title}" has neither a page nor a list of pages.`);
        return [];
      }
      const pages = value.flatMap((inner, index) => entryOf(inner, [...path, title, index]));
      return pages.length > 0 ? [{ group: title, pages }] : [];
    });
  };
  const entries = listOf(nav).flatMap((item, index) => entryOf(item, ['nav', index]));
  const tabs = entries.map((entry) =>
    typeof entry === 'string' ? { tab: titleOf(entry), pages: [entry] } : { tab: entry.group, pages: entry.pages },
  );
  const hasTabs = wantsTabs && entries.some((entry) => typeof entry !== 'string');
  return defined({ ...(hasTabs ? { tabs } : { pages: entries }), global: defined({ anchors }) });
}

function paletteOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? objectOf(value.find((one) => objectOf(one).primary !== undefined)) : objectOf(value);
  return palette[field(first.primary) ?? ''];
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
  return name === '' ? 'Home' : titleOfName(name);
}
