import { z } from 'zod';
import { byKind } from './by-kind.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';

/** An object with these keys alone. Its issue of an unknown key lists them for `knownKeys`. */
function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const error = ({ code }: { code: string }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(separator) : undefined);
  return z.strictObject(shape, { error });
}

const separator = ' ';

/** The keys that the object of an issue of an unknown key can have. */
export function knownKeys({ message }: z.core.$ZodIssueUnrecognizedKeys): string[] {
  return message.split(separator);
}

const hex = z.string().regex(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, { error: 'but must be a color such as "#0d9373"' });

/** The URL of a page or site. */
const href = z
  .string()
  .refine((url) => url.trim() !== '' && safeUrl(url) !== undefined, { message: 'which is not the URL of a page or site' });

/** An image or font: a path, a URL, or the file itself as `data:image/…`. */
const file = z.string().refine((url) => safeUrl(url, { data: true }) !== undefined || /^data:font\//i.test(url), {
  message: 'which is not the URL of a file',
});

/** Text that authors also write as a number: `"version": 2`. */
const text = byKind({ string: z.string(), number: z.number().transform(String) });

const title = text.refine((one) => one.trim() !== '', { error: 'but must be a title' });

const textOrTexts = byKind({ string: z.string().transform((one) => [one]), array: z.array(z.string()) });

/** An icon's name; the object form adds library and style. */
const icon = byKind({ string: z.string(), object: z.looseObject({ name: z.string() }).transform((object) => object.name) });

const lightDark = strict({ light: hex.optional(), dark: hex.optional() });

const color = byKind({ string: hex.transform((one) => ({ light: one, dark: one })), object: lightDark });

const image = byKind({
  string: file.transform((one): { light: string; dark: string; href?: string } => ({ light: one, dark: one })),
  object: strict({ light: file, dark: file, href: href.optional() }),
});

const fontShape = {
  family: z.string().optional(),
  weight: byKind({
    number: z.number(),
    string: z.string().regex(/^\d+$/, { error: 'but must be a number' }).transform(Number),
  }).optional(),
  source: file.optional(),
  format: z.enum(['woff', 'woff2']).optional(),
};

const navbarLink = strict({
  type: z.string().optional(),
  label: text.optional(),
  href,
  icon: icon.optional(),
  iconType: z.string().optional(),
});

const navbar = strict({ links: z.array(navbarLink).optional(), primary: navbarLink.optional() });

const footerColumn = strict({
  header: text.optional(),
  items: z.array(strict({ label: text, href: href })).optional(),
});

const footer = strict({
  socials: z.record(z.string(), href).optional(),
  links: z.array(footerColumn).optional(),
});

const banner = strict({
  content: z.string(),
  dismissible: z.boolean().optional(),
  type: z.enum(['info', 'warning', 'critical']).optional(),
  color: color.optional(),
});

/** An entry of the page menu: the name of one, or the author's own. */
const menuOption = byKind({
  string: z.string(),
  object: strict({
    title: text,
    description: text.optional(),
    icon: icon.optional(),
    iconType: z.string().optional(),
    href: byKind({
      string: href,
      object: strict({ base: href, query: z.array(strict({ key: z.string(), value: z.string() })).optional() }),
    }),
  }),
});

const pages = z.lazy(() => z.array(byKind({ string: z.string(), object: navigationEntry })));
const entries = z.lazy(() => z.array(navigationEntry));
/** Groups of pages, and names of groups of readers. */
const groups = z.lazy(() => z.array(byKind({ string: text, object: navigationEntry })));

/**
 * One entry of the navigation, whatever its kind: a group, a division (language, version, product, dropdown, tab, anchor),
 * an item of a tab's menu, or the root. Any kind can contain any other.
 */
export interface NavigationEntry extends Partial<Record<EntryName, string> & Record<EntryLevel, NavigationEntry[]>> {
  pages?: (string | NavigationEntry)[];
  /** The groups of readers that may see the entry, which `groups` names beside or instead of groups of pages. */
  readers?: string[];
  global?: NavigationEntry;
  href?: string;
  icon?: string;
  iconType?: string;
  tag?: string;
  description?: string;
  color?: { light?: string; dark?: string };
  root?: string;
  default?: boolean;
  hidden?: boolean;
  expanded?: boolean;
  collapsed?: boolean;
  searchable?: boolean;
  public?: boolean;
  boost?: number;
  /** How the root pages of groups list the entries of their group. */
  directory?: 'none' | 'accordion' | 'card';
  openapi?: unknown;
  asyncapi?: unknown;
  graphql?: unknown;
  sdk?: unknown;
  banner?: z.infer<typeof banner>;
  footer?: z.infer<typeof footer>;
  navbar?: z.infer<typeof navbar>;
}

/** The keys with the entries in an entry, beside `pages`, which also has pages. */
export const entryLevels = ['tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu', 'groups'] as const;
type EntryLevel = (typeof entryLevels)[number];

/** The key that names an entry and determines its kind. */
export const entryNames = ['group', 'language', 'version', 'product', 'dropdown', 'tab', 'anchor', 'item'] as const;
export type EntryName = (typeof entryNames)[number];

export const navigationEntry: z.ZodType<NavigationEntry> = z.lazy(() =>
  strict({
    group: title.optional().describe('Title of a group of pages'),
    language: text.optional().describe('Code of a language, such as fr'),
    version: text.optional().describe('Name of a version of the docs'),
    product: text.optional().describe('Name of a product'),
    dropdown: text.optional().describe('Title of an entry in a menu above the navigation'),
    tab: title.optional().describe('Title of a tab'),
    anchor: text.optional().describe('Title of a link above the navigation'),
    item: text.optional().describe('Title of an entry in the menu of a tab'),
    pages: pages.optional().describe('Paths of pages without extension, and groups'),
    groups: groups.optional().describe('Groups of pages, or the names of the groups of readers that may see the entry'),
    tabs: entries.optional().describe('Tabs'),
    anchors: entries.optional().describe('Links above the navigation'),
    dropdowns: entries.optional().describe('Entries in a menu above the navigation'),
    products: entries.optional().describe('Products, each with its navigation'),
    versions: entries.optional().describe('Versions of the docs, each with its navigation'),
    languages: entries.optional().describe('Languages, each with its navigation'),
    menu: entries.optional().describe('Entries in the menu of a tab'),
    global: navigationEntry.optional().describe('Entries on all pages, such as anchors'),
    href: href.optional().describe('URL that the entry links to'),
    icon: icon.optional().describe('Name of an icon'),
    iconType: z.string().optional().describe('Style of a Font Awesome icon, such as solid'),
    tag: text.optional().describe('Label beside the title'),
    description: text.optional().describe('Text below the title'),
    color: color.optional().describe('Color, or one for light and one for dark mode'),
    root: z.string().optional().describe('Page that the title links to'),
    default: z.boolean().optional().describe('Whether readers see this version or language first'),
    hidden: z.boolean().optional().describe('Whether the navigation omits the entry'),
    expanded: z.boolean().optional().describe('Whether a group in a group is open at first'),
    collapsed: z.boolean().optional().describe('Whether a group is closed at first'),
    searchable: z.boolean().optional().describe('Whether search finds the pages'),
    public: z.boolean().optional().describe('Whether everybody may see pages that are limited to groups'),
    boost: z
      .number()
      .positive({ error: 'but must be a number above 0' })
      .optional()
      .describe('Factor for the rank of the pages in search results'),
    directory: z.enum(['none', 'accordion', 'card']).optional().describe('How the root page lists the pages of its group'),
    openapi: z.unknown().optional().describe('OpenAPI files that pages are made of'),
    asyncapi: z.unknown().optional().describe('AsyncAPI files that pages are made of'),
    graphql: z.unknown().optional().describe('GraphQL schema that pages are made of'),
    sdk: z.unknown().optional().describe('Reference of an SDK; not supported'),
    banner: banner.optional().describe('Banner above these pages'),
    footer: footer.optional().describe('Footer of these pages'),
    navbar: navbar.optional().describe('Links at the top of these pages'),
  }).transform(withReaders),
) as z.ZodType<NavigationEntry>;

type WrittenEntry = Omit<NavigationEntry, 'groups'> & { groups?: (string | number | NavigationEntry)[] | undefined };

function withReaders({ groups: written, ...entry }: WrittenEntry): NavigationEntry {
  if (written === undefined) return entry;
  const readers = written.filter((one) => typeof one !== 'object').map(String);
  const inside = written.filter((one) => typeof one === 'object');
  return {
    ...entry,
    ...((inside.length > 0 || readers.length === 0) && { groups: inside }),
    ...(readers.length > 0 && { readers }),
  };
}

/** A path that a page names as its own, without slashes around it; undefined if it has characters or names that a page cannot have. */
export function ownPath(path: string): string | undefined {
  const own = path
    .replace(/^\/|\/$/g, '')
    .replace(/\.html$/, '')
    .replace(/(?:^|\/)index$/, '');
  const isPath = /^(?:[\p{L}\p{N}_~.-]+(?:\/[\p{L}\p{N}_~.-]+)*)?$/u.test(own);
  return isPath && !/(?:^|\/)\.|^_carrel\//i.test(own) ? own.normalize('NFC') : undefined;
}

/** docs.json with short forms expanded; no other defaults are filled in. */
export const docsConfigSchema = strict({
  $schema: z.string().optional().describe('URL of the schema that editors check the file with'),
  theme: z
    .enum(['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'])
    .optional()
    .describe('Theme of Mintlify; has no effect'),
  name: text.optional().describe('Name of the site'),
  description: text.optional().describe('What the docs are about, in a sentence'),
  colors: strict({ primary: hex.optional(), light: hex.optional(), dark: hex.optional() })
    .optional()
    .describe('Colors of links and buttons, such as "#9a3412"'),
  navigation: byKind({
    object: navigationEntry,
    array: z.array(navigationEntry).transform((groups): NavigationEntry => ({ groups })),
  })
    .optional()
    .describe('Pages by groups, tabs, versions and languages'),
  logo: image.optional().describe('Image, or one for light and one for dark mode'),
  favicon: image.optional().describe('Icon of the site in browsers'),
  appearance: strict({ default: z.enum(['system', 'light', 'dark']).optional(), strict: z.boolean().optional() })
    .optional()
    .describe('Light or dark mode'),
  fonts: strict({ ...fontShape, heading: strict(fontShape).optional(), body: strict(fontShape).optional() })
    .optional()
    .describe('Fonts of headings and text'),
  icons: strict({ library: z.enum(['fontawesome', 'lucide', 'tabler']).optional() })
    .optional()
    .describe('Library that names of icons are from'),
  background: strict({
    decoration: z.enum(['gradient', 'grid', 'windows']).optional(),
    color: color.optional(),
    image: image.optional(),
  })
    .optional()
    .describe('Color, image or decoration behind the pages'),
  styling: strict({
    eyebrows: z.enum(['section', 'breadcrumbs']).optional(),
    latex: z.boolean().optional(),
    codeblocks: z.unknown().optional(),
  })
    .optional()
    .describe('Looks of code and of the line above titles'),
  thumbnails: z.unknown().optional().describe('Images for social networks; has no effect'),
  navbar: navbar.optional().describe('Links and a button at the top'),
  footer: footer.optional().describe('Links at the bottom'),
  banner: banner.optional().describe('Text above all pages'),
  interaction: strict({ drilldown: z.boolean().optional() }).optional().describe('What a click on a group does'),
  contextual: strict({ options: z.array(menuOption).optional(), display: z.enum(['header', 'toc']).optional() })
    .optional()
    .describe('Entries of the menu beside the title of a page'),
  downloads: z
    .array(z.enum(['pdf', 'epub', 'zip']))
    .optional()
    .describe('What readers can download of the site as one file'),
  redirects: z
    .array(strict({ source: z.string(), destination: z.string(), permanent: z.boolean().optional() }))
    .optional()
    .describe('Former paths and their new destinations'),
  rewrites: z
    .record(
      z.string(),
      z.string().refine((path) => ownPath(path) !== undefined, { error: 'must be a path, such as guides/install' }),
    )
    .optional()
    .describe('Paths of pages that differ from the paths of their files'),
  variables: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/), text)
    .optional()
    .describe('Values that pages use as {{name}}'),
  metadata: strict({ timestamp: z.boolean().optional() }).optional().describe('Whether pages show when they were last changed'),
  feedback: strict({
    thumbsRating: z.boolean().optional(),
    suggestEdit: z.boolean().optional(),
    raiseIssue: z.boolean().optional(),
  })
    .optional()
    .describe('Links below pages: ratings, edits, issues'),
  errors: strict({
    '404': strict({ redirect: z.boolean().optional(), title: text.optional(), description: text.optional() }).optional(),
  })
    .optional()
    .describe('The page for paths that do not exist'),
  api: z.unknown().optional().describe('OpenAPI files, playground and code examples'),
  markdown: strict({ schema: z.boolean().optional(), instructions: textOrTexts.optional() })
    .optional()
    .describe('The Markdown version of pages'),
  seo: strict({
    indexing: z.enum(['navigable', 'all']).optional(),
    metatags: z.record(z.string(), text).optional(),
    organization: strict({
      id: text.optional(),
      name: text.optional(),
      legalName: text.optional(),
      url: text.optional(),
      logo: text.optional(),
      sameAs: z.union([text, z.array(text)]).optional(),
    }).optional(),
  })
    .optional()
    .describe('What search engines index, and tags in the head of pages'),
  search: strict({ prompt: text.optional() }).optional().describe('Text in the search button'),
  integrations: z.record(z.string(), z.unknown()).optional().describe('Analytics providers'),
});

export type DocsConfig = z.infer<typeof docsConfigSchema>;
