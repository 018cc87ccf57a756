// Options of `carrel export` that only apply to a folder of built HTML, and `--base`, which applies to both.
import { z } from 'zod';
import type { CarrelOptions } from '../../integration/options.ts';
import { UsageError } from './usage.ts';

// A comma inside brackets or quotes does not separate items.
const list = z
  .string()
  .transform((text) => text.match(/(?:[^,([{"']|\([^)]*\)|\[[^\]]*\]|"[^"]*"|'[^']*')+/g)?.map((part) => part.trim()) ?? [])
  .transform((parts) => parts.filter((part) => part !== ''))
  .refine((parts) => parts.length > 0, { error: 'must not be empty' })
  .optional();

const pairs = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^[^=]*=.+$/.test(part)), { error: 'must have the form path=name,path=name' })
  .transform((parts) => Object.fromEntries(parts.map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])))
  .optional();

const text = z.string().min(1, { error: 'must not be empty' }).optional();

export const htmlOptions = {
  name: text.meta({ takes: 'TEXT', description: 'HTML: name of the site (default: from its pages)' }),
  base: text.meta({
    takes: 'PATH',
    description: 'Path that the site is published at, such as /docs/ (default: from --site or the home page)',
  }),
  content: list.meta({
    takes: 'LIST',
    description: 'HTML: CSS selectors of the main content, most preferred first (default: those of common themes)',
  }),
  ignore: list.meta({ takes: 'LIST', description: 'HTML: CSS selectors of elements to exclude from it' }),
  exclude: list.meta({ takes: 'LIST', description: 'HTML: pages to exclude: drafts/**,internal' }),
  languages: pairs.meta({ takes: 'LIST', description: 'HTML: languages by path prefix: fr=fr,pt-br=pt-BR' }),
  versions: pairs.meta({ takes: 'LIST', description: 'HTML: versions of the docs by path prefix: v1=1.x' }),
  search: z
    .enum(['button', 'site', 'off'], { error: 'must be one of button, site, off' })
    .optional()
    .meta({ takes: 'HOW', description: 'HTML: button (default), site (it has its own search button) or off' }),
  allow: list.meta({ takes: 'LIST', description: 'HTML: hosts that pages can load from, and --vendor can download from' }),
  'no-markdown': z.boolean().optional().meta({ description: 'HTML: omit the Markdown version of every page' }),
};

/** The options in the form that the integration takes. */
export function siteOptions(given: z.infer<z.ZodObject<typeof htmlOptions>>): CarrelOptions {
  const { name, content, ignore, exclude, languages, versions, search, allow } = given;
  return { name, content, ignore, exclude, languages, versions, search, allow, markdown: !given['no-markdown'] };
}

// `--base` applies to both kinds.
const onlyHtml = Object.keys(htmlOptions).filter((name) => name !== 'base');
const onlyDocs = ['language', 'docs-version', 'paths', 'cache'];

/** Throws a UsageError that names options for the other kind of folder. */
export function checkForKind(given: Record<string, unknown>, isHtml: boolean, folder: string): void {
  const foreign = (isHtml ? onlyDocs : onlyHtml).filter((name) => given[name] !== undefined);
  if (foreign.length === 0) return;
  const [kind, other] = isHtml ? ['a folder of HTML', 'docs folders'] : ['a docs folder', 'folders of HTML'];
  throw new UsageError(
    `"${folder}" is ${kind}, but ${foreign.map((name) => `--${name}`).join(', ')} only ${foreign.length === 1 ? 'applies' : 'apply'} to ${other}.`,
    'Remove the option, or name another folder.',
  );
}
