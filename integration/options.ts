import { z } from 'zod';
import { deployments } from './manifest.ts';
import { hostSchema, languageSchema, pathStartSchema } from './option-values.ts';

const text = z.string().min(1);
const texts = z.array(text);

export const optionsSchema = z.strictObject({
  /**
   * Folder of the export, relative to the project's root.
   * @default 'dist-offline'
   */
  out: text.default('dist-offline'),
  /**
   * Write the export in the place of the site's own output, so that it is what gets deployed. `out` is not used then.
   * @default false
   */
  replace: z.boolean().default(false),
  /** Archive to write of the same files, relative to the project's root. */
  zip: text.optional(),
  /** JSON file to write of what was made and found, relative to the project's root. */
  report: text.optional(),
  /**
   * Where the export will be used; decides what may be asked of other hosts.
   * @default 'client-hosted'
   */
  deployment: z.enum(deployments).default('client-hosted'),
  /**
   * Download images and videos of other hosts into the export; of a site with a theme of its own, what is on hosts that `allow` lists.
   * @default false
   */
  vendor: z.boolean().default(false),
  /**
   * Hosts that pages may ask all the same, such as `['images.example.com', '*.example.org']`; with `vendor` those that are asked at build.
   * @default []
   */
  allow: z.array(hostSchema).default([]),
  /** Export version. By default the first 12 hex digits of the content hash. */
  label: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, { error: 'it must be 1 to 64 letters, digits or . _ + -' })
    .optional(),
  /** Name of the site; by default the home page's `og:site_name`, else what titles of pages end in, else the home page's title. */
  name: text.optional(),
  /** Language of pages that name none in `<html lang>`; by default that of the home page, else `en`. */
  language: languageSchema.optional(),
  /**
   * Languages by the start of the path, such as `{ fr: 'fr', 'pt-br': 'pt-BR' }`, where `<html lang>` says something else or nothing.
   * Those of Astro's `i18n` need not be repeated.
   * @default {}
   */
  languages: z.record(pathStartSchema, languageSchema).default({}),
  /**
   * Versions of the docs by the start of the path, such as `{ v1: '1.x', 'fr/v1': '1.x' }`; each is searched by itself.
   * A page may also say its own: `<meta name="carrel:docs-version" content="1.x">`.
   * @default {}
   */
  versions: z.record(pathStartSchema, text).default({}),
  /**
   * CSS selectors of what is content; the first that a page has holds for that page.
   * By default Starlight's, VitePress's, Docusaurus's and Material's content, then `[data-pagefind-body]`, `main`, `article`, `body`.
   */
  content: texts.min(1).optional(),
  /**
   * CSS selectors of what is left out of the content. Navigation, footers, breadcrumbs, links to edit the page, pagination,
   * `[data-pagefind-ignore]`, `aria-hidden`, buttons and heading links are left out anyway.
   * @default []
   */
  ignore: texts.default([]),
  /**
   * Paths of pages that are not exported, such as `['drafts/**']`. Links to them lead to the site's address.
   * @default []
   */
  exclude: texts.default([]),
  /**
   * Whether every page also comes as Markdown, listed in `llms.txt`.
   * @default true
   */
  markdown: z.boolean().default(true),
  /**
   * How readers come to search: `button` adds a small button and Ctrl/Cmd+K, `site` leaves it to the site's own
   * `<CarrelSearch />` or `[data-carrel-search]`, `off` adds nothing.
   * @default 'button'
   */
  search: z.enum(['button', 'site', 'off']).default('button'),
});

export type CarrelOptions = z.input<typeof optionsSchema>;

/** Options as they are used, with every default. */
export type ReadOptions = z.output<typeof optionsSchema>;
