import { isRecord } from '../../integration/text/json.ts';

/** The older mint.json, and its keys in a docs.json, converted to the shape of docs.json before parsing. */

type Json = Record<string, unknown>;
type Group = Json & { pages?: unknown[] };

/** Keys that only mint.json has. */
const formerKeys = ['layout', 'sidebar', 'topbar', 'rounded', 'hideFeedbackButtons', 'modeToggle', 'font', 'backgroundImage', 'codeBlock', 'eyebrow',
  'topbarLinks', 'topbarCtaButton', 'tabs', 'primaryTab', 'anchors', 'topAnchor', 'versions', 'footerSocials', 'openapi', 'openApi', 'analytics']; // prettier-ignore

/** What only mint.json has inside of keys of both formats. */
const formerParts = ['colors.background', 'colors.anchors', 'background.style', 'api.baseUrl', 'api.auth', 'api.playground.mode', 'seo.indexHiddenPages', 'search.location']; // prettier-ignore

/** The keys of a docs.json that are from mint.json, such as `topbarLinks` and `api.baseUrl`. */
export function formerKeysOf(config: Json): string[] {
  const at = (path: string) => path.split('.').reduce<unknown>((value, key) => asObject(value)?.[key], config);
  const footer = asList(at('footer.links')).some((column) => column.title !== undefined);
  const metadata = Object.keys(asObject(config.metadata) ?? {}).some((key) => key.includes(':'));
  return [
    ...[...formerKeys, ...formerParts].filter((path) => at(path) !== undefined),
    ...(footer ? ['footer.links[].title'] : []),
    ...(metadata ? ['metadata'] : []),
  ];
}

/**
 * Converts a mint.json value, or the keys of a docs.json that are spelled as in one: the keys of docs.json win, lists of both are joined.
 * Obsolete keys are dropped; unknown keys are passed on, so that they are reported.
 */
export function fromMintJson(mint: Json): Json {
  const {
    theme, layout: _layout, sidebar: _sidebar, topbar: _topbar, rounded: _rounded, feedback,
    hideFeedbackButtons, colors, modeToggle, font, background, backgroundImage, codeBlock, eyebrow, topbarLinks,
    topbarCtaButton, navigation, tabs, primaryTab, anchors, topAnchor, versions, footerSocials, footer, openapi, openApi, api,
    metadata, seo, search, analytics, integrations, ...same
  } = mint; // prettier-ignore
  const { background: backgroundColor, anchors: _anchors, ...ownColors } = asObject(colors) ?? {};
  const { style, ...ownBackground } = asObject(background) ?? {};
  const { indexHiddenPages, ...ownSeo } = asObject(seo) ?? {};
  const { timestamp, ...metatags } = asObject(metadata) ?? {};
  const { location: _location, ...ownSearch } = asObject(search) ?? {};
  const { baseUrl, auth, ...ownApi } = asObject(api) ?? {};
  const specifications = openapi ?? openApi;
  const own = {
    ...same,
    theme: ['venus', 'quill', 'prism'].includes(text(theme)) ? undefined : theme,
    colors: rest(colors, ownColors),
    background: rest(background, ownBackground),
    navigation: navigationOf({ navigation, tabs, primaryTab, anchors, topAnchor, versions }),
    feedback: hideFeedbackButtons ? { ...asObject(feedback), thumbsRating: false } : feedback,
    footer: footerOf(footerSocials, footer),
    api: rest(api, {
      ...ownApi,
      openapi: specifications && ownApi.openapi ? [ownApi.openapi].flat() : ownApi.openapi,
      playground: playgroundOf(ownApi.playground),
    }),
    metadata: rest(metadata, { timestamp }),
    seo: rest(seo, ownSeo),
    search: rest(search, ownSearch),
    integrations,
  };
  const former = {
    appearance: modeToggle && defined({ default: asObject(modeToggle)?.default, strict: asObject(modeToggle)?.isHidden }),
    fonts: fonts(asObject(font)),
    background: filled({ decoration: style, image: backgroundImage, color: backgroundColor }),
    styling: stylingOf(asObject(codeBlock), asObject(eyebrow)),
    navbar: navbarOf(asList(topbarLinks), asObject(topbarCtaButton)),
    api: filled({ openapi: specifications, mdx: filled({ server: baseUrl, auth }) }),
    seo: filled({ metatags: filled(metatags), indexing: indexHiddenPages ? 'all' : undefined }),
    integrations: analytics,
  };
  return joined(defined(own), defined(former)) as Json;
}

/** Both values as one: keys of objects and items of lists are joined, and of other values the first wins. */
function joined(own: unknown, former: unknown): unknown {
  if (own === undefined || former === undefined) return own ?? former;
  if (isRecord(own) && isRecord(former))
    return Object.fromEntries(
      [...new Set([...Object.keys(own), ...Object.keys(former)])].map((key) => [key, joined(own[key], former[key])]),
    );
  if (!Array.isArray(own)) return own;
  const known = new Set(own.map((item) => JSON.stringify(item)));
  return [...(own as unknown[]), ...[former].flat().filter((item) => !known.has(JSON.stringify(item)))];
}

/** The key that names a division in docs.json. */
const divisionNames = { tabs: 'tab', anchors: 'anchor', versions: 'version' };

function navigationOf(mint: Json): unknown {
  const isNew = (one: unknown, name: string) => asObject(one)?.[name] !== undefined;
  const former: Json = { ...mint };
  const misplaced: Json = {};
  for (const [key, name] of Object.entries(divisionNames)) {
    const all = asList(mint[key]);
    former[key] = all.filter((one) => !isNew(one, name));
    misplaced[key] = filledList(all.filter((one) => isNew(one, name)));
  }
  const { groups, global, ...divisions } = asObject(mint.navigation) ?? { groups: mint.navigation };
  const found = { ...divisions, ...defined(misplaced) };
  // Former divisions divide plain groups. A navigation with divisions of its own keeps them; only links are added.
  if (Object.keys(found).length === 0)
    return groups === undefined && !mint.tabs && !mint.anchors && !mint.versions && !global
      ? undefined
      : joined(defined({ global }), divided({ ...former, navigation: groups }));
  const links = (key: 'tabs' | 'anchors') =>
    asList(former[key]).flatMap((one) => (isAbsolute(one.url) ? [division(divisionNames[key], one)] : []));
  const added = filled({ tabs: filledList(links('tabs')), anchors: filledList(links('anchors')) });
  return joined(defined({ groups, global, ...divisions }), defined({ ...misplaced, global: added }));
}

function divided(mint: Json): Json {
  const groups = asList(mint.navigation) as Group[];
  const versions = asList(mint.versions).map((version): Json => asObject(version) ?? { name: version });
  const anchors = asList(mint.anchors);
  const outside = anchors.filter((anchor) => isAbsolute(anchor.url));
  const global = outside.length ? { global: { anchors: outside.map((anchor) => division('anchor', anchor)) } } : {};
  const division_ = (version: string | undefined): Json => divisionsOf(groupsOf(groups, version), mint, version);
  if (versions.length === 0) return { ...division_(undefined), ...global };
  const kind = versions.some((version) => version.locale) ? 'language' : 'version';
  const entries = versions.map((version) =>
    defined({
      [kind]: kind === 'language' ? (version.locale ?? version.name) : version.name,
      default: version.default,
      ...division_(String(version.name)),
    }),
  );
  return { [`${kind}s`]: entries, ...global };
}

/** Tabs that contain anchors that contain groups, as far as the file defines them for the version. */
function divisionsOf(groups: Group[], mint: Json, version: string | undefined): Json {
  const all = asList(mint.navigation) as Group[];
  const ofVersion = (one: Json) => !one.version || !version || one.version === version;
  const tabs = asList(mint.tabs).filter((tab) => ofVersion(tab) && (holds(tab, groups) || !holds(tab, all)));
  const primary = asObject(mint.primaryTab)?.name ?? 'Documentation';
  const inner = (rest: Group[]): Json => {
    const own = asList(mint.anchors).filter((anchor) => !isAbsolute(anchor.url) && ofVersion(anchor));
    const top = asObject(mint.topAnchor);
    return own.length
      ? {
          anchors: byFolder('anchor', own, rest, (left) => ({
            anchor: top?.name ?? 'Documentation',
            icon: top?.icon,
            groups: left,
          })),
        }
      : { groups: rest };
  };
  return tabs.length ? { tabs: byFolder('tab', tabs, groups, (rest) => ({ tab: primary, ...inner(rest) })) } : inner(groups);
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The folder in a division's URL; undefined when the URL is on another site. */
function folderOf({ url }: Json): string | undefined {
  return isAbsolute(url) ? undefined : text(url).replace(/^\/|\/$/g, '');
}

function isInside(page: string, folder: string | undefined): boolean {
  const path = page.replace(/^\//, '');
  return folder !== undefined && folder !== '' && (path === folder || path.startsWith(`${folder}/`));
}

/** Whether any page of the groups belongs to a division. */
function holds(division: Json, groups: Group[]): boolean {
  return groups.some((group) => select(group, (page) => isInside(page, folderOf(division))) !== null);
}

/** Assigns the pages below each division's URL to it, and all others to the first division. */
function byFolder(kind: 'tab' | 'anchor', divisions: Json[], groups: Group[], first: (rest: Group[]) => Json): Json[] {
  const folders = divisions.map(folderOf);
  // Where one URL contains another, the longest wins.
  const owner = (page: string): number => {
    let best = -1;
    for (const [index, folder] of folders.entries()) {
      if (isInside(page, folder) && (folder?.length ?? 0) > (folders[best]?.length ?? 0)) best = index;
    }
    return best;
  };
  const part = (index: number): Group[] =>
    groups.map((group) => select(group, (page) => owner(page) === index)).filter((group) => group !== null);
  const rest = part(-1);
  const others = divisions.map((one, index) => {
    const own = folders[index] === undefined ? [] : part(index);
    return defined({ ...division(kind, one), ...(own.length ? { groups: own, href: undefined } : {}) });
  });
  return [...(rest.length ? [defined(first(rest))] : []), ...others];
}

/** The group with only the matching pages; null when no page matches. */
function select(group: Group, fits: (page: string) => boolean): Group | null {
  const pages = (group.pages ?? [])
    .map((page) => (typeof page === 'string' ? (fits(page) ? page : null) : asObject(page) ? select(page as Group, fits) : null))
    .filter((page) => page !== null);
  return pages.length ? { ...group, pages } : null;
}

function groupsOf(groups: Group[], version: string | undefined): Group[] {
  return groups
    .filter((group) => !group.version || !version || group.version === version)
    .map(({ version: _version, ...group }) => group);
}

function division(kind: string, one: Json): Json {
  const color = asObject(one.color);
  return defined({
    [kind]: one.name,
    icon: one.icon,
    iconType: one.iconType,
    color: color ? { light: color.from, dark: color.to } : one.color,
    hidden: one.isDefaultHidden,
    openapi: one.openapi,
    href: isAbsolute(one.url) ? one.url : one.url && `/${text(one.url).replace(/^\//, '')}`,
  });
}

function fonts(font: Json | undefined): Json | undefined {
  if (!font) return undefined;
  const convert = (one: Json | undefined) =>
    one && defined({ family: one.family, weight: one.weight, source: one.url, format: one.format });
  return defined({ ...convert(font), heading: convert(asObject(font.headings)), body: convert(asObject(font.body)) });
}

function stylingOf(codeBlock: Json | undefined, eyebrow: Json | undefined): Json | undefined {
  if (!codeBlock && !eyebrow) return undefined;
  return defined({ codeblocks: codeBlock && (codeBlock.mode === 'dark' ? 'dark' : 'system'), eyebrows: eyebrow?.display });
}

function navbarOf(links: Json[], button: Json | undefined): Json | undefined {
  if (!links.length && !button) return undefined;
  return defined({
    links: links.length
      ? links.map((link) => defined({ label: link.name, href: link.url, type: link.type === 'link' ? undefined : link.type }))
      : undefined,
    primary: button && defined({ type: button.type === 'github' ? 'github' : 'button', label: button.name, href: button.url }),
  });
}

function footerOf(former: unknown, value: unknown): unknown {
  const footer = asObject(value);
  if (value !== undefined && !footer) return value;
  const socials = Array.isArray(former) ? Object.fromEntries(asList(former).map((one) => [one.type, one.url])) : asObject(former);
  const links = asList(footer?.links).map(({ title, links: list, ...column }) =>
    defined({
      header: title,
      items: list && asList(list).map((link) => defined({ label: link.label, href: link.url })),
      ...column,
    }),
  );
  return filled({ ...footer, socials: joined(footer?.socials, socials), links: footer?.links && links });
}

function playgroundOf(playground: unknown): unknown {
  const { mode, ...own } = asObject(playground) ?? {};
  const modes: Json = { show: 'interactive', simple: 'simple', hide: 'none' };
  return rest(playground, { display: mode === undefined ? undefined : (modes[text(mode)] ?? mode), ...own });
}

function isAbsolute(url: unknown): boolean {
  return typeof url === 'string' && /^[a-z][a-z+.-]*:/i.test(url);
}

function asObject(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined;
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]).filter((item) => item !== null) : [];
}

function defined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** The defined values of an object; undefined without any. */
function filled(object: Json): Json | undefined {
  const result = defined(object);
  return Object.keys(result).length > 0 ? result : undefined;
}

function filledList(list: Json[]): Json[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** What is left of an object; a value of another type is passed on, so that it is reported. */
function rest(value: unknown, left: Json): unknown {
  return asObject(value) ? filled(left) : value;
}
