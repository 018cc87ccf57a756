import { z } from 'zod';
import { deployments } from './manifest.ts';
import { pageSettingsSchema } from './page-settings.ts';
import { hostSchema, languageSchema, pathPrefixSchema } from './option-values.ts';

const text = z.string().min(1);
const texts = z.array(text);

export const optionsSchema = z.strictObject({
  /**
   * Folder of the export, relative to the project's root.
   * @default 'dist-offline'
   */
  out: text.default('dist-offline'),
  /**
   * Replace the site's own output with the export, so that the export is deployed. `out` is then ignored.
   * @default false
   */
  replace: z.boolean().default(false),
  /** Path of a zip archive of the same files, relative to the project's root. */
  zip: text.optional(),
  /** JSON report of the export to write, relative to the project's root. */
  report: text.optional(),
  /**
   * Where the export will be used; determines which external requests are allowed.
   * @default 'client-hosted'
   */
  deployment: z.enum(deployments).default('client-hosted'),
  /** Settings of the pages, written to `carrel.config.js`: `{ features: { search: { enabled: false } } }`. */
  settings: pageSettingsSchema.optional(),
  /**
   * Download images, audio, videos and fonts from external origins into the export; if `allow` lists hosts, files of any type, only from these hosts.
   * @default false
   */
  vendor: z.boolean().default(false),
  /**
   * Hosts that pages are allowed to load from, such as `['images.example.com', '*.example.org']`; with `vendor`, the hosts to download from at build time.
   * @default []
   */
  allow: z.array(hostSchema).default([]),
  /** Export version. By default the first 12 hex digits of the content hash. */
  label: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, { error: 'it must be 1 to 64 letters, digits or . _ + -' })
    .optional(),
  /** Name of the site; by default the home page's `og:site_name`, else the suffix of the page titles, else the home page's title. */
  name: text.optional(),
  /** Language of pages without `<html lang>`; by default that of the home page, else `en`. */
  language: languageSchema.optional(),
  /**
   * Path prefixes and their languages, such as `{ fr: 'fr', 'pt-br': 'pt-BR' }`, for pages whose `<html lang>` is different or missing.
   * Those of Astro's `i18n` need not be repeated.
   * @default {}
   */
  languages: z.record(pathPrefixSchema, languageSchema).default({}),
  /**
   * Path prefixes and their docs versions, such as `{ v1: '1.x', 'fr/v1': '1.x' }`; each is searched separately.
   * A page can also state its own: `<meta name="carrel:docs-version" content="1.x">`.
   * @default {}
   */
  versions: z.record(pathPrefixSchema, text).default({}),
  /**
   * CSS selectors of the main content; the first that matches on a page is used.
   * By default Starlight's, VitePress's, Docusaurus's and Material's content, then `[data-pagefind-body]`, `main`, `article`, `body`.
   */
  content: texts.min(1).optional(),
  /**
   * CSS selectors of elements to exclude from the content. Navigation, footers, breadcrumbs, links to edit the page, pagination,
   * `[data-pagefind-ignore]`, `aria-hidden`, buttons and heading links are always excluded.
   * @default []
   */
  ignore: texts.default([]),
  /**
   * Paths of pages that are not exported, such as `['drafts/**']`. Links to them open the public site.
   * @default []
   */
  exclude: texts.default([]),
  /**
   * Whether every page has a Markdown version, listed in `llms.txt`.
   * @default true
   */
  markdown: z.boolean().default(true),
  /**
   * How readers open search: `button` adds a small button and Ctrl/Cmd+K, `site` leaves it to the site's own
   * `<CarrelSearch />` or `[data-carrel-search]`, `off` adds nothing.
   * @default 'button'
   */
  search: z.enum(['button', 'site', 'off']).default('button'),
});

export type CarrelOptions = z.input<typeof optionsSchema>;

/** Parsed options, with every default. */
export type ParsedOptions = z.output<typeof optionsSchema>;
