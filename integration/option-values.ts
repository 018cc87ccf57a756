// Schemas for options with a special format. Each error message completes the sentence `"allow[0]" is "https://…": it must be …`.
import { z } from 'zod';
import { canonicalTag } from './text/language-tag.ts';
import { decode } from './urls/parts.ts';

/** A URL that others begin with: those of all pages of a site, or the requests to a server. */
export const baseUrlSchema = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be an http(s) URL, such as ${example}` })
    .refine((url) => !/[?#]|\/\/[^/]*@/.test(url), { error: 'must be a URL without a user name, query or fragment (#)' });

/** A host as `isAllowed` expects it: lower case; international names in Punycode. */
export const hostSchema = z.string().transform((written, context) => {
  const host = hostOf(written.trim());
  if (host !== undefined) return host;
  context.addIssue({ code: 'custom', message: notHost(written.trim()) });
  return z.NEVER;
});

function hostOf(written: string): string | undefined {
  const [, wildcard = '', host = ''] = /^(\*\.)?(.*)$/s.exec(written)!;
  if (!/^[^\s/\\?#@*:[\]]+(?::\d+)?$/.test(host)) return undefined;
  const name = URL.parse(`https://${host}`)?.hostname;
  return name === undefined ? undefined : wildcard + name + (/:\d+$/.exec(host)?.[0] ?? '');
}

function notHost(written: string): string {
  const { host = '' } =
    URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written.replace(/^\/+/, '')}`) ?? {};
  if (host.replace(/^\*\./, '').includes('*'))
    return 'it must be a host, with a wildcard only as its whole first part: "*.example.com".';
  return hostOf(host) === undefined
    ? 'it must be a host, such as "images.example.com".'
    : `it must be a host, without anything before or after it: write "${host}".`;
}

/** A language tag of BCP 47; it stays unchanged. */
export const languageSchema = z.string().refine(isLanguage, {
  error: ({ input }) => {
    // `pt_BR.UTF-8`, as operating systems write it.
    const usual = String(input)
      .replace(/[.@].*$/s, '')
      .replaceAll('_', '-');
    return `it must be a language tag (BCP 47), such as ${isLanguage(usual) ? `"${usual}"` : '"en" or "pt-BR"'}.`;
  },
});

function isLanguage(text: string): boolean {
  return !text.includes('_') && canonicalTag(text) !== undefined;
}

/** The prefix of page paths: `fr`, `fr/v1`; '' for all. Leading and trailing slashes are ignored. */
export const pathPrefixSchema = z.string().refine((start) => plainStart(start) === start, {
  error: ({ input }) => {
    const start = plainStart(String(input)).replace(/^\/+|\/+$/g, '');
    return `it must be the start of a path, such as ${start === '' ? '"fr" or "guides/v1"' : `"${start}"`}.`;
  },
});

/** Removes everything that is not part of a page's path: host, query, fragment, wildcards, percent-encoding. */
function plainStart(start: string): string {
  const path = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(start) ? (URL.parse(start, 'https://site.invalid')?.pathname ?? '') : start;
  return decode(
    path
      .replace(/[?#].*$/s, '')
      .replace(/\*.*$/s, '')
      .replaceAll('\\', '/')
      .replace(/(^|\/)\.{1,2}(?=\/|$)/g, ''),
  );
}
