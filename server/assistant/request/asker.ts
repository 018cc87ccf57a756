// The reader who asks, and how often one may.
import type { Context } from 'hono';
import { domainOf } from '../../sites/site-access.ts';
import type { ApiEnvironment } from '../../http/api.ts';
import { addressSubject, type Limit } from '../../organizations/limits.ts';
import type { ServerOptions } from '../../platform/options.ts';

export interface Asker {
  organization: string;
  domain: string;
  /** ID of the API key, or one that all pages of the site share. */
  key: string;
  isOfPage?: true;
  /** Of the reader, if the page is one of a private site. */
  groups?: string[];
  /** ID of the member or key who asks on a page, on a site for members. */
  person?: string;
  /** The name of the reader in the request. */
  fp: string;
}

/** The `fp` of readers who do not identify themselves. */
export const anonymous = 'anonymous';

/** Trusts the `fp` of the request. */
export function askerOf(context: Context<ApiEnvironment>, fp = anonymous): Asker {
  const { organization, id, isOfPage, groups, person } = context.get('key');
  return { organization, domain: domainOf(context), key: id, isOfPage, groups, person, fp };
}

export type QuestionLimits = Pick<ServerOptions, 'questionsPerHour' | 'questionsPerDay' | 'questionsPerMinute'>;

/** The two limits of the contract, and one per reader if the operator sets it: a person, or else an `fp`, or the IP address of an `anonymous` one. */
export function limitsOf(
  { questionsPerHour, questionsPerDay, questionsPerMinute }: QuestionLimits,
  { organization, domain, person, fp }: Asker,
  address: string,
): Limit[] {
  const from = addressSubject(address);
  const limits: Limit[] = [
    { name: 'organization', subject: organization, most: questionsPerHour, seconds: 3600 },
    { name: 'address', subject: from, most: questionsPerDay, seconds: 86_400 },
  ];
  if (questionsPerMinute !== undefined) {
    const named = fp === anonymous ? `address ${from}` : `fp ${fp}`;
    const reader = person === undefined ? named : `person ${person}`;
    limits.push({ name: 'reader', subject: `${domain} ${reader}`, most: questionsPerMinute, seconds: 60 });
  }
  return limits;
}

/** Searches and pages read are counted apart. */
export function searchLimit(
  { searchesPerHour }: Pick<ServerOptions, 'searchesPerHour'>,
  organization: string,
  what: 'search' | 'page',
): Limit {
  return { name: 'organization', subject: `${what} ${organization}`, most: searchesPerHour, seconds: 3600 };
}
