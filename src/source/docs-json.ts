import { z } from 'zod';
import { byKind } from './by-kind.ts';

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

/** A URL. URLs that execute code are refused, however they are spelled. */
const href = z.string().refine((url) => !/^(?:javascript|vbscript|data):/i.test(url.replace(/[\u0000-\u0020]/g, '')), {
  message: 'which is not the URL of a page or site',
});

/** An image or font: a path, a URL, or the image itself as `data:image/…`. */
const file = z
  .string()
  .refine((url) => !/^(?:(?:javascript|vbscript):|data:(?!(?:image|font)\/))/i.test(url.replace(/[\u0000-\u0020]/g, '')), {
    message: 'which is not the URL of a file',
  });

/** Text that authors also write as a number: `"version": 2`. */
const text = byKind({ string: z.string(), number: z.number().transform(String) });

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
  href: href.optional(),
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

const pages = z.lazy(() => z.array(byKind({ string: z.string(), object: navigationEntry })));
const entries = z.lazy(() => z.array(navigationEntry));

/**
 * One entry of the navigation, whatever its kind: a group, a division (language, version, product, dropdown, tab, anchor),
 * an item of a tab's menu, or the root. Any kind can contain any other.
 */
export interface NavigationEntry extends Partial<Record<EntryName, string>> {
  pages?: (string | NavigationEntry)[];
  groups?: NavigationEntry[];
  tabs?: NavigationEntry[];
  anchors?: NavigationEntry[];
  dropdowns?: NavigationEntry[];
  products?: NavigationEntry[];
  versions?: NavigationEntry[];
  languages?: NavigationEntry[];
  menu?: NavigationEntry[];
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

/** The key that names an entry and determines its kind. */
const entryNames = ['group', 'language', 'version', 'product', 'dropdown', 'tab', 'anchor', 'item'] as const;
export type EntryName = (typeof entryNames)[number];

export const navigationEntry: z.ZodType<NavigationEntry> = z.lazy(() =>
  strict({
    group: text.optional(),
    language: text.optional(),
    version: text.optional(),
    product: text.optional(),
    dropdown: text.optional(),
    tab: text.optional(),
    anchor: text.optional(),
    item: text.optional(),
    pages: pages.optional(),
    groups: entries.optional(),
    tabs: entries.optional(),
    anchors: entries.optional(),
    dropdowns: entries.optional(),
    products: entries.optional(),
    versions: entries.optional(),
    languages: entries.optional(),
    menu: entries.optional(),
    global: navigationEntry.optional(),
    href: href.optional(),
    icon: icon.optional(),
    iconType: z.string().optional(),
    tag: text.optional(),
    description: text.optional(),
    color: color.optional(),
    root: z.string().optional(),
    default: z.boolean().optional(),
    hidden: z.boolean().optional(),
    expanded: z.boolean().optional(),
    collapsed: z.boolean().optional(),
    searchable: z.boolean().optional(),
    public: z.boolean().optional(),
    boost: z.number().positive({ error: 'but must be a number above 0' }).optional(),
    directory: z.enum(['none', 'accordion', 'card']).optional(),
    openapi: z.unknown().optional(),
    asyncapi: z.unknown().optional(),
    graphql: z.unknown().optional(),
    sdk: z.unknown().optional(),
    banner: banner.optional(),
    footer: footer.optional(),
    navbar: navbar.optional(),
  }),
) as z.ZodType<NavigationEntry>;

/** docs.json with short forms expanded; no other defaults are filled in. */
export const docsConfigSchema = strict({
  $schema: z.string().optional(),
  theme: z.enum(['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma']).optional(),
  name: text.optional(),
  description: text.optional(),
  colors: strict({ primary: hex.optional(), light: hex.optional(), dark: hex.optional() }).optional(),
  navigation: byKind({
    object: navigationEntry,
    array: z.array(navigationEntry).transform((groups): NavigationEntry => ({ groups })),
  }).optional(),
  logo: image.optional(),
  favicon: image.optional(),
  appearance: strict({ default: z.enum(['system', 'light', 'dark']).optional(), strict: z.boolean().optional() }).optional(),
  fonts: strict({ ...fontShape, heading: strict(fontShape).optional(), body: strict(fontShape).optional() }).optional(),
  icons: strict({ library: z.enum(['fontawesome', 'lucide', 'tabler']).optional() }).optional(),
  background: strict({
    decoration: z.enum(['gradient', 'grid', 'windows']).optional(),
    color: color.optional(),
    image: image.optional(),
  }).optional(),
  styling: strict({
    eyebrows: z.enum(['section', 'breadcrumbs']).optional(),
    latex: z.boolean().optional(),
    codeblocks: z.unknown().optional(),
  }).optional(),
  thumbnails: z.unknown().optional(),
  navbar: navbar.optional(),
  footer: footer.optional(),
  banner: banner.optional(),
  interaction: strict({ drilldown: z.boolean().optional() }).optional(),
  contextual: strict({ options: z.array(z.unknown()).optional(), display: z.enum(['header', 'toc']).optional() }).optional(),
  redirects: z.array(strict({ source: z.string(), destination: z.string(), permanent: z.boolean().optional() })).optional(),
  variables: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), text).optional(),
  metadata: strict({ timestamp: z.boolean().optional() }).optional(),
  feedback: strict({
    thumbsRating: z.boolean().optional(),
    suggestEdit: z.boolean().optional(),
    raiseIssue: z.boolean().optional(),
  }).optional(),
  errors: strict({
    '404': strict({ redirect: z.boolean().optional(), title: text.optional(), description: text.optional() }).optional(),
  }).optional(),
  api: z.unknown().optional(),
  markdown: strict({ schema: z.boolean().optional(), instructions: textOrTexts.optional() }).optional(),
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
  }).optional(),
  search: strict({ prompt: text.optional() }).optional(),
  integrations: z.record(z.string(), z.unknown()).optional(),
});

export type DocsConfig = z.infer<typeof docsConfigSchema>;
