// Which branches of a site have previews, and how these are named.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isGitRef, pathPattern } from './git-source.ts';

const branchPattern = z
  .string()
  .min(1)
  .max(100)
  // Each `*` multiplies the time that a long name takes.
  .refine((text) => (text.match(/\*+/g) ?? []).length <= 3 && isGitRef(text.replaceAll('*', 'x')), {
    error: 'must be a branch such as next, or a pattern such as docs/*, with at most three "*"',
  });

/** `{ "branches": "all", "days": 14 }`, or `{ "branches": ["docs/*", "next"] }`. */
export const previewsSchema = z.strictObject({
  /** Which branches have previews. `*` matches any part of a name, `**` any path. */
  branches: z.union([z.literal('all'), z.array(branchPattern).min(1).max(20)], {
    error: 'must be "all" or a list of 1 to 20 branches and patterns, such as ["next", "docs/*"], with at most three "*" each',
  }),
  /** How long a preview stays after the last push to its branch. */
  days: z.int({ error: 'must be a whole number of days' }).min(1).max(365).default(14),
  /** How many previews the site has at the same time. */
  most: z.int({ error: 'must be a whole number' }).min(1).max(50).default(10),
  /** Whether the pull requests of a branch get a comment with what it changes. */
  comment: z.boolean({ error: 'must be true or false' }).optional(),
});
export type PreviewSettings = z.infer<typeof previewsSchema>;

const longestBranch = 255;

/** Whether pushes to a branch make a preview. */
export function hasPreview({ branches }: PreviewSettings, branch: string): boolean {
  if (branch.length > longestBranch || !isGitRef(branch) || /\p{Cs}/u.test(branch)) return false;
  return branches === 'all' || branches.some((pattern) => pathPattern(pattern).test(branch));
}

/** Whether a name with a branch is still a host name. */
export function mayHavePreviews(domain: string): boolean {
  return roomFor(domain) >= shortest;
}

// The characters of a digest that distinguish the branches of a site.
const shortest = 8;

/** What can be the name of a preview, the best first. Names that were cut or changed end with a digest of the branch. */
export function previewNames(domain: string, branch: string): string[] {
  const room = roomFor(domain);
  const digest = createHash('sha256').update(branch).digest('hex');
  const slug = slugOf(branch);
  const names = slug === branch && slug.length <= room ? [slug] : [];
  for (const length of [shortest, 32]) {
    const shown = trimmed(slug.slice(0, Math.max(0, room - length - 1)));
    names.push(shown === '' ? digest.slice(0, Math.min(length, room)) : `${shown}-${digest.slice(0, length)}`);
  }
  return names.map((name) => `${domain}--${name}`);
}

/** The site that a name may belong to as a preview; undefined for names without "--", and for `xn--`, which begins names in other scripts. */
export function previewedDomain(name: string): string | undefined {
  const [, domain] = /^(.+)--[a-z0-9-]*$/.exec(name) ?? [];
  return domain === undefined || domain.split('.').at(-1) === 'xn' ? undefined : domain;
}

function slugOf(branch: string): string {
  const plain = branch.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return trimmed(plain.replaceAll(/[^a-z0-9]+/g, '-'));
}

function trimmed(slug: string): string {
  return slug.replaceAll(/^-|-$/g, '');
}

/** Characters after "--": a label of a host name has at most 63, the whole name 253. */
function roomFor(domain: string): number {
  return Math.min(63 - domain.split('.').at(-1)!.length, 253 - domain.length) - 2;
}
