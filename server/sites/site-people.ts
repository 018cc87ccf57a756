// People who read sites for members.
import { checkAddress, checkValid } from '../organizations/authenticate.ts';
import type { Keys } from '../organizations/keys.ts';
import { isMember } from '../members/members.ts';
import { ApiError } from '../platform/errors.ts';
import { groupsSeen, mayRead } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

export interface PeopleParts {
  keys: Pick<Keys, 'recent'>;
  now: () => number;
}

/**
 * The groups of the audience that a person belongs to, as of the last second; undefined if they may not, or may no longer, read the site. Who has
 * signed in with a key of the organization may read it, and sees what everybody sees.
 */
export async function groupsOfPerson(
  parts: PeopleParts,
  { organization, settings }: Pick<RegisteredSite, 'organization' | 'settings'>,
  { id, address }: { id: string; address: string },
): Promise<string[] | undefined> {
  const key = await parts.keys.recent(organization, id);
  try {
    checkValid(parts, key);
    checkAddress(key, address);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  if (!isMember(key)) return [];
  return mayRead(settings, key.groups) ? groupsSeen(settings, key.groups) : undefined;
}
