// Who asks about a site, and how often they are allowed to.
import type { Context } from 'hono';
import type { ApiEnvironment } from '../../http/api.ts';
import { addressSubject, type Limit } from '../../organizations/limits.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { domainOf } from './caller.ts';

export interface Asker {
  organization: string;
  domain: string;
  /** Id of the API key. */
  key: string;
  /** As the request names the reader: `fp`. */
  fp: string;
}

/** The `fp` of readers who do not say who they are. */
export const anonymous = 'anonymous';

/** Takes the word of the request for `fp`. */
export function askerOf(context: Context<ApiEnvironment>, fp = anonymous): Asker {
  const { organization, id } = context.get('key');
  return { organization, domain: domainOf(context), key: id, fp };
}

export type QuestionLimits = Pick<ServerOptions, 'questionsPerHour' | 'questionsPerDay' | 'questionsPerMinute'>;

/** The two limits of the contract, and one for each reader where the operator sets it; an `anonymous` reader is an address. */
export function limitsOf(
  { questionsPerHour, questionsPerDay, questionsPerMinute }: QuestionLimits,
  { organization, domain, fp }: Asker,
  address: string,
): Limit[] {
  const from = addressSubject(address);
  const limits: Limit[] = [
    { name: 'organization', subject: organization, most: questionsPerHour, seconds: 3600 },
    { name: 'address', subject: from, most: questionsPerDay, seconds: 86_400 },
  ];
  if (questionsPerMinute !== undefined) {
    const reader = fp === anonymous ? `address ${from}` : `fp ${fp}`;
    limits.push({ name: 'reader', subject: `${domain} ${reader}`, most: questionsPerMinute, seconds: 60 });
  }
  return limits;
}
