// Fern's docs.yml, and the files of its products and versions: https://buildwithfern.com/learn/docs/configuration/site-level-settings
// A page has the path that its place in the navigation gives it, so links name these paths, not files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { ownPath } from '../source/docs-json.ts';
import { parseJson } from '../source/parse-json.ts';
import { readFrontmatter } from '../source/frontmatter.ts';
import { listOf, objectOf } from '../../integration/text/json.ts';
import { defined, isExternal, field, type Entry, type Imported, type ImportNote, type Json, titleOfName } from './imported.ts';
import { firstFile } from './read-module.ts';
import { readYaml } from './read-yaml.ts';

const specificationNames = ['openapi', 'openapi/openapi'].flatMap((name) =>
  ['yml', 'yaml', 'json'].map((end) => `${name}.${end}`),
);

export function importFern(root: string, file: string): Imported {
  const { config, lineOf } = readYaml(root, file);
  const pagesFolder = resolve(root, file, '..');
  const bases = basesOf(config);
  const docs = new FernDocs(pagesFolder, bases);
  const navigation = docs.navigation(config, { folder: '', slug: '' });
  const landing = objectOf(config['landing-page']);
  if (field(landing.path) !== undefined) docs.page(landing, { folder: '', slug: '' }, field(landing.slug) ?? '');
  const unread = ['libraries', 'experimental', 'css', 'js', 'footer-links', 'analytics'].filter(
    (key) => config[key] !== undefined,
  );
  const notes: ImportNote[] = [
    ...unread.map((key) => ({ file, line: lineOf([key]), message: `"${key}" has no counterpart in docs.json.` })),
    ...docs.notes.map((message) => ({ file, message })),
  ];
  const links = listOf(config['navbar-links'])
    .map(objectOf)
    .flatMap((link) => docs.navbarLink(link));
  const primary = links.findIndex(({ type }) => type === 'filled');
  return {
    generator: 'Fern',
    base: bases.at(-1),
    files: [file],
    pagesFolder,
    notes,
    config: defined({
      name: field(config.title),
      colors: colorsOf(objectOf(config.colors)),
      logo: imageOf(objectOf(config.logo)),
      favicon: field(config.favicon) && rooted(field(config.favicon)!),
      banner: field(objectOf(config.announcement).message) && { content: field(objectOf(config.announcement).message) },
      navigation,
      navbar: defined({
        links: links
          .filter((_, i) => i !== primary)
          .map(({ type, ...link }) => defined({ ...link, type: type === 'github' ? type : undefined })),
        primary: primary === -1 ? undefined : { ...links[primary]!, type: 'button' },
      }),
      redirects: [
        ...listOf(config.redirects)
          .map(objectOf)
          .flatMap((one) => docs.redirect(one)),
        ...docs.redirects,
      ],
      rewrites: docs.rewrites(),
    }),
  };
}

/** The folder that pages are published in, which links can contain. */
function basesOf({ instances }: Json): string[] {
  const urls = listOf(instances).flatMap((instance) => [objectOf(instance).url, objectOf(instance)['custom-domain']].flat());
  return urls.flatMap(
    (url) =>
      field(url)
        ?.replace(/^https?:\/\//, '')
        .replace(/^[^/]*|\/$/g, '') || [],
  );
}

/** Where the entries of a list are: their paths begin at `folder`, their URLs with `slug`. */
interface Place {
  folder: string;
  slug: string;
}

class FernDocs {
  readonly notes: string[] = [];
  readonly redirects: Json[] = [];
  private readonly folder: string;
  private readonly bases: string[];
  private readonly addresses = new Map<string, string>();
  private readonly apis = new Map<string, Json[]>();

  constructor(folder: string, bases: string[]) {
    this.folder = folder;
    this.bases = bases;
  }

  /** The navigation of docs.yml, or of the file of a product or version. */
  navigation(config: Json, place: Place): Json {
    const products = listOf(config.products).map(objectOf);
    if (products.length > 0)
      return { products: products.map((one) => this.division('product', one, within(place, slugOf(one, one['display-name'])))) };
    const versions = listOf(config.versions).map(objectOf);
    if (versions.length > 0)
      return {
        versions: versions.map((one, i) => {
          const own = within(place, slugOf(one, one['display-name']));
          // The first version is that of URLs without one.
          if (i === 0)
            this.redirects.push({ source: `/${own.slug}/:path*`, destination: `/${posix.join(place.slug, ':path*')}` });
          return this.division('version', one, i === 0 ? place : own);
        }),
      };
    const tabs = objectOf(config.tabs);
    const items = listOf(config.navigation).map(objectOf);
    if (!items.some(({ tab }) => tab !== undefined)) return { pages: this.entries(items, place) };
    return { tabs: items.flatMap((item) => this.tab(item, objectOf(tabs[String(item.tab)]), place)) };
  }

  private division(kind: 'product' | 'version', given: Json, place: Place): Json {
    const path = field(given.path);
    const about = { [kind]: field(given['display-name']) ?? 'Docs' };
    const file = path && posix.join(place.folder, path);
    if (file === undefined || !existsSync(join(this.folder, file)))
      return defined({
        ...about,
        href: field(given.href),
        ...(listOf(given.versions).length > 0 && this.navigation(given, place)),
      });
    const config = readYaml(this.folder, file).config;
    const versions = listOf(given.versions).length > 0 ? { versions: given.versions } : {};
    const folder = posix.dirname(file);
    // Paths of the versions of a product begin at docs.yml.
    return {
      ...about,
      ...this.navigation({ ...config, ...versions }, { ...place, folder: 'versions' in versions ? place.folder : folder }),
    };
  }

  private tab(item: Json, about: Json, place: Place): Json[] {
    const title = field(about['display-name']) ?? String(item.tab);
    if (field(about.href) !== undefined) return [{ tab: title, href: this.url(field(about.href)!) }];
    const own = about['skip-slug'] === true ? place : within(place, slugOf(about, title));
    const variants = listOf(item.variants).map(objectOf);
    const pages = [
      ...this.entries(listOf(item.layout), own),
      ...variants.flatMap((one) =>
        group({ group: field(one.title) ?? title }, this.entries(listOf(one.layout), within(own, slugOf(one, one.title)))),
      ),
      ...(field(about.changelog) ? this.entries([{ changelog: about.changelog, title, 'skip-slug': true }], own) : []),
    ];
    return pages.length > 0 ? [{ tab: title, pages }] : [];
  }

  private entries(items: unknown[], place: Place): Entry[] {
    return items.map(objectOf).flatMap((item): Entry[] => {
      const entry = this.entry(item, place);
      return item.hidden === true && entry.length > 0
        ? [{ group: field(item.page) ?? 'Hidden', hidden: true, pages: entry }]
        : entry;
    });
  }

  private entry(item: Json, place: Place): Entry[] {
    const title = field(item.page ?? item.section ?? item.api ?? item.title);
    const inside = item['skip-slug'] === true ? place : within(place, slugOf(item, title));
    if (item.page !== undefined) return this.page(item, place, inside.slug);
    if (item.section !== undefined) {
      const [root] = field(item.path) ? this.page({ path: item.path }, place, inside.slug) : [];
      const about = {
        group: title ?? 'Pages',
        ...(item.collapsed === false && { expanded: true }),
        ...(typeof root === 'string' && { root }),
      };
      return group(about, this.entries(listOf(item.contents), inside));
    }
    if (item.api !== undefined) return this.api(item, title ?? 'API Reference', inside);
    if (item.link !== undefined)
      return field(item.href) ? [{ group: field(item.link) ?? 'Link', href: this.url(field(item.href)!), pages: [] }] : [];
    const listed = field(item.changelog ?? item.folder);
    if (listed !== undefined) {
      const name = titleOfName(posix.basename(listed));
      const own =
        item['skip-slug'] === true ? place : within(place, slugOf(item, item.folder === undefined ? (title ?? name) : name));
      return this.listed(listed, title ?? name, own);
    }
    this.notes.push(`An entry of the navigation is not imported: ${JSON.stringify(item).slice(0, 80)}.`);
    return [];
  }

  /** A page, with the path that its place gives it, or its frontmatter. */
  page(item: Json, place: Place, slug: string): Entry[] {
    const path = posix.join(place.folder, field(item.path) ?? '').replace(/\.mdx?$/i, '');
    const file = firstFile(this.folder, [`${path}.mdx`, `${path}.md`]);
    const { frontmatter, body } = readFrontmatter(file ? readFileSync(file, 'utf8') : '# ', path);
    const address = (field(frontmatter.slug) ?? slug).replace(/^\/|\/$/g, '').replace(/(?:^|\/)index$/, '');
    const known = this.addresses.get(path);
    if (known === undefined) this.addresses.set(path, address);
    else if (known !== address) this.redirects.push({ source: `/${address}`, destination: `/${known}` });
    const title = field(item.page);
    const isUntitled = title !== undefined && field(frontmatter.title) === undefined && !/^# /m.test(body);
    return isUntitled ? [{ group: title, root: path, pages: [] }] : [path];
  }

  /** The pages of a folder, changelogs with the latest first. */
  private listed(path: string, title: string, place: Place): Entry[] {
    const folder = posix.join(place.folder, path);
    if (!existsSync(join(this.folder, folder))) return [];
    const names = readdirSync(join(this.folder, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.mdx?$/i.test(name),
    );
    const sorted = names
      .map((name) => name.replaceAll('\\', '/'))
      .sort((a, b) => (/^\d/.test(a) ? (a < b ? 1 : -1) : a < b ? -1 : 1));
    const pages = sorted.flatMap((name) =>
      this.page(
        { path: posix.join(path, name) },
        place,
        posix.join(
          place.slug,
          ...name
            .replace(/\.mdx?$/i, '')
            .split('/')
            .map((part) => (/^\d/.test(part) ? part : kebab(part))),
        ),
      ),
    );
    return group({ group: title }, pages);
  }

  private api(item: Json, title: string, place: Place): Entry[] {
    const written = pagesOf(listOf(item.layout)).flatMap((page) => this.entries([page], place));
    const summary = field(item.summary) ? this.page({ path: item.summary }, place, place.slug) : [];
    const name = field(item['api-name']) ?? '';
    const sources = this.specifications(name || undefined);
    if (sources.length === 0)
      this.notes.push(`The API "${title}" is not imported: no OpenAPI file was found for it in ${posix.join('apis', name)}.`);
    // Several entries can show parts of one API, for audiences; the last one is usually the whole reference.
    for (const earlier of this.apis.get(name) ?? []) {
      delete earlier.openapi;
      this.notes.push(`The operations of "${String(earlier.group)}" are not imported: another entry has those of the same API.`);
    }
    for (const source of sources) this.readOperations(source, place);
    const operations = sources.map((source, i) => ({
      group: i === 0 ? title : `${title} ${i + 1}`,
      openapi: { source, directory: place.slug || 'api-reference' },
      pages: i === 0 ? [...summary, ...written] : [],
    }));
    this.apis.set(name, operations);
    return operations.length > 0 ? operations : group({ group: title }, [...summary, ...written]);
  }

  /** Paths of the OpenAPI files of an API, from generators.yml or with a usual name. */
  private specifications(name: string | undefined): string[] {
    const folder = ['', ...(name === undefined ? [] : [`apis/${name}`])].at(-1)!;
    const generators = posix.join(folder, 'generators.yml');
    const api = existsSync(join(this.folder, generators)) ? readYaml(this.folder, generators).config.api : undefined;
    const named = [api, objectOf(api).specs]
      .flatMap(listOf)
      .concat(api)
      .map((one) => field(objectOf(one).openapi ?? objectOf(one).path ?? one));
    const found = named.flatMap((path) => (path === undefined ? [] : posix.join(folder, path)));
    const usual = specificationNames.map((path) => posix.join(folder, path));
    const files = (found.length > 0 ? found : usual).filter(
      (path) => !path.startsWith('..') && existsSync(join(this.folder, path)),
    );
    return [...new Set(files.map((path) => `/${path}`))];
  }

  /** The paths of operations for which Fern makes SDKs: the group and the name of their method. */
  private readOperations(source: string, place: Place): void {
    const text = source.endsWith('.json') ? readFileSync(join(this.folder, source), 'utf8') : undefined;
    const { paths } = text === undefined ? readYaml(this.folder, source).config : objectOf(parseJson(text, source));
    for (const [path, operations] of Object.entries(objectOf(paths)))
      for (const [method, operation] of Object.entries(objectOf(operations))) {
        const { 'x-fern-sdk-group-name': groups, 'x-fern-sdk-method-name': name } = objectOf(operation);
        const parts = [groups, name].flat().flatMap((part) => field(part) ?? []);
        const key = `${method.toUpperCase()} ${path}`;
        if (field(name) !== undefined) this.addresses.set(key, posix.join(place.slug, ...parts.map(kebab)));
      }
  }

  navbarLink({ type, text, url, href, value }: Json): { type?: string; label: string; href: string }[] {
    const to = field(href) ?? field(url) ?? field(value);
    const label = field(text) ?? (type === 'github' ? 'GitHub' : undefined);
    return to === undefined || label === undefined ? [] : [{ type: field(type), label, href: this.url(to) }];
  }

  redirect({ source, destination }: Json): Json[] {
    const [from, to] = [field(source), field(destination)];
    // The home page is there, without a redirect to it.
    if (from === undefined || to === undefined || /^\/(?:index\.html)?$/.test(this.url(from))) return [];
    return [{ source: this.url(from), destination: this.url(to) }];
  }

  /** A URL of the site without the folder that it is published in. */
  private url(url: string): string {
    const base = this.bases.find((one) => `${url}/`.startsWith(`${one}/`));
    const own = base === undefined ? url : url.slice(base.length) || '/';
    return isExternal(own) || own.startsWith('#') ? own : rooted(own);
  }

  rewrites(): Json {
    const moved = [...this.addresses].filter(
      ([path, address]) => ownPath(address) !== undefined && address !== path.replace(/(?:^|\/)index$/, ''),
    );
    return Object.fromEntries(moved.map(([path, address]) => [path, `/${address}`]));
  }
}

function within({ folder, slug }: Place, part: string): Place {
  return { folder, slug: posix.join(slug, part) };
}

function slugOf({ slug }: Json, title: unknown): string {
  return typeof slug === 'string' ? slug.replace(/^\/|\/$/g, '') : kebab(field(title) ?? '');
}

/** As lodash: `EVM APIs v2` → `evm-ap-is-v-2`. */
function kebab(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}|['’]/gu, '');
  return [...plain.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+(?:(?:st|nd|rd|th)\b)?|\p{Lo}+/gu)]
    .map(([word]) => word.toLowerCase())
    .join('-');
}

function group(about: { group: string; root?: string }, pages: Entry[]): Entry[] {
  return pages.length > 0 || about.root !== undefined ? [{ ...about, pages }] : [];
}

/** The pages among the operations of an API. */
function pagesOf(layout: unknown[]): Json[] {
  return layout.map(objectOf).flatMap((item) => (item.page === undefined ? pagesOf(listOf(item.contents)) : [item]));
}

function rooted(path: string): string {
  return posix.join('/', path);
}

function imageOf({ light, dark, href }: Json): Json | undefined {
  const [day, night] = [field(light) ?? field(dark), field(dark) ?? field(light)];
  return day === undefined || night === undefined
    ? undefined
    : defined({ light: rooted(day), dark: rooted(night), href: field(href) });
}

function colorsOf(colors: Json): Json | undefined {
  const accent = colors.accentPrimary ?? colors['accent-primary'];
  const hex = (value: unknown) => (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(field(value) ?? '') ? field(value) : undefined);
  const primary = hex(accent) ?? hex(objectOf(accent).light);
  return primary === undefined ? undefined : defined({ primary, light: hex(objectOf(accent).dark) });
}
