// Options of `carrel export` that a folder of finished HTML has besides those of docs.
import { z } from 'zod';
import type { CarrelOptions } from '../../integration/options.ts';
import { UsageError } from './usage.ts';

// A comma inside brackets or quotes is none between two.
const list = z
  .string()
  .transform((text) => text.match(/(?:[^,([{"']|\([^)]*\)|\[[^\]]*\]|"[^"]*"|'[^']*')+/g)?.map((part) => part.trim()) ?? [])
  .transform((parts) => parts.filter((part) => part !== ''))
  .refine((parts) => parts.length > 0, { error: 'must not be empty' })
  .optional();

const pairs = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^[^=]*=.+$/.test(part)), { error: 'must be written as start=name,start=name' })
  .transform((parts) => Object.fromEntries(parts.map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])))
  .optional();

const text = z.string().min(1, { error: 'must not be empty' }).optional();

export const htmlOptions = {
  name: text.meta({ takes: 'TEXT', description: 'HTML: name of the site (default: what its pages say)' }),
  base: text.meta({
    takes: 'PATH',
    description: 'What addresses in it begin with, /docs/ (default: as the pages of the site have it)',
  }),
  content: list.meta({
    takes: 'LIST',
    description: 'HTML: CSS selectors of what is content, best first (default: those of usual themes)',
  }),
  ignore: list.meta({ takes: 'LIST', description: 'HTML: CSS selectors of what is left out of it' }),
  exclude: list.meta({ takes: 'LIST', description: 'HTML: pages that are not exported: drafts/**,internal' }),
  languages: pairs.meta({ takes: 'LIST', description: 'HTML: languages by the start of the path: fr=fr,pt-br=pt-BR' }),
  versions: pairs.meta({ takes: 'LIST', description: 'HTML: versions of the docs by the start of the path: v1=1.x' }),
  search: z
    .enum(['button', 'site', 'off'], { error: 'must be one of button, site, off' })
    .optional()
    .meta({ takes: 'HOW', description: 'HTML: button (default), site (it brings its own place for it) or off' }),
  allow: list.meta({ takes: 'LIST', description: 'HTML: hosts that pages may ask all the same, or --vendor asks' }),
  'no-markdown': z.boolean().optional().meta({ description: 'HTML: without the Markdown of every page' }),
};

/** The same as the integration takes them. */
export function siteOptions(given: z.infer<z.ZodObject<typeof htmlOptions>>): CarrelOptions {
  const { name, content, ignore, exclude, languages, versions, search, allow } = given;
  return { name, content, ignore, exclude, languages, versions, search, allow, markdown: !given['no-markdown'] };
}

// Where a site is published matters for both.
const onlyHtml = Object.keys(htmlOptions).filter((name) => name !== 'base');
const onlyDocs = ['language', 'docs-version', 'paths', 'cache'];

/** Throws a UsageError that names options which the other kind of folder has. */
export function checkForKind(given: Record<string, unknown>, isHtml: boolean, folder: string): void {
  const foreign = (isHtml ? onlyDocs : onlyHtml).filter((name) => given[name] !== undefined);
  if (foreign.length === 0) return;
  const [kind, other] = isHtml ? ['HTML', 'Markdown'] : ['docs', 'finished HTML'];
  throw new UsageError(
    `"${folder}" is a folder of ${kind}, and ${foreign.map((name) => `--${name}`).join(', ')} ${foreign.length === 1 ? 'is' : 'are'} for folders of ${other}.`,
    'Leave it out, or name the other folder.',
  );
}
