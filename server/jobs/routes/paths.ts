// The requested pages of a job: paths as in the site, without slashes at the ends and without extension; '' is the home page.
import { z } from '@hono/zod-openapi';

const mostPaths = 1000;

/** Also accepts '/guides/install/', 'guides/install.mdx' and 'guides/index'. Returns each path once. */
export const jobPathsSchema = z
  .array(
    z
      .string()
      .max(1024, { error: 'is longer than 1024 characters' })
      .transform((text, context) => {
        const path = pagePath(text);
        if (path !== undefined) return path;
        context.issues.push({
          code: 'custom',
          input: text,
          message: `"${text.slice(0, 100)}" is not the path of a page; write it like "guides/install": no URL, no query, no "..", no "\\"`,
        });
        return z.NEVER;
      })
      .openapi({ example: 'guides/install' }),
  )
  .min(1, { error: 'must name a page or more; leave it out for all pages' })
  .max(mostPaths, { error: `must name at most ${mostPaths} pages; leave it out for all pages` })
  .transform((paths) => [...new Set(paths)]);

/** Undefined for what cannot be the path of a page. */
export function pagePath(text: string): string | undefined {
  const isAddress = /^[a-z][a-z\d+.-]*:\/\/|^\/\/|^[a-z]:/i.test(text);
  if (isAddress || /[\\?#]|\p{Cc}|\p{Cs}/u.test(text)) return undefined;
  const path = text
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)index$/, '')
    .normalize('NFC');
  const segments = path === '' ? [] : path.split('/');
  return segments.some((segment) => ['', '.', '..'].includes(segment)) ? undefined : path;
}
