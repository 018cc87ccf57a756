// People who read sites for members.
import { mayChangeSite } from '../http/key.ts';
import { checkAddress, checkValid } from '../organizations/authenticate.ts';
import type { Keys } from '../organizations/keys.ts';
import { isMember } from '../members/members.ts';
import { ApiError } from '../platform/errors.ts';
import { areSameGroups, groupsSeen, mayRead, type SiteReaders } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

export interface PeopleParts {
  keys: Pick<Keys, 'recent'>;
  now: () => number;
}

/**
 * The groups of the audience that a person belongs to, as of the last second; undefined if they may not, or may no longer, read the site. Who has
 * signed in with a key of the organization may read it, and sees what everybody sees. The ID may be a `viewerId`.
 */
export async function groupsOfPerson(
  parts: PeopleParts,
  { domain, organization, settings }: Pick<RegisteredSite, 'domain' | 'organization' | 'settings'>,
  { id, address }: { id: string; address: string },
): Promise<string[] | undefined> {
  const [own = '', view] = id.split('~');
  const key = await parts.keys.recent(organization, own);
  try {
    checkValid(parts, key);
    checkAddress(key, address);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  if (view !== undefined) return mayChangeSite(key, domain) ? groupsViewed(settings, view) : undefined;
  if (!isMember(key)) return [];
  return mayRead(settings, key.groups) ? groupsSeen(settings, key.groups) : undefined;
}

/** Of regular expressions: the ID of a member or key, or a `viewerId`. */
export const personPattern = String.raw`(?:mem|key)_[0-9a-f]{16}(?:~[\w-]+)?`;

/** The ID of a member or key who looks at a site as an audience sees it: readers have it where others have their own ID. */
export function viewerId(id: string, groups: string[]): string {
  return `${id}~${Buffer.from(JSON.stringify(groups)).toString('base64url')}`;
}

export function isViewer(id: string): boolean {
  return id.includes('~');
}

/** Who may change the site may see what any of its audiences sees, since they could also give themselves its groups. */
function groupsViewed({ audiences = [] }: SiteReaders, view: string): string[] | undefined {
  const groups = JSON.parse(Buffer.from(view, 'base64url').toString()) as string[];
  return audiences.find((one) => areSameGroups(one.groups, groups))?.groups;
}
