// Models that fail: readers get quotes meanwhile.
import type { ModelFailureAnswer } from '../../assistant/model-routes.ts';
import { element, type Child } from './element.ts';
import { count, time } from './format.ts';
import { notice } from './parts.ts';
import type { Session } from './session.ts';

export async function readFailures({ client }: Session, signal: AbortSignal): Promise<ModelFailureAnswer[]> {
  return (await client.call<{ failures: ModelFailureAnswer[] }>('GET', '/v1/model-failures', { signal })).failures;
}

/** A notice for each model of a site that fails. */
export function failureNotices(failures: ModelFailureAnswer[], domain: string, action: Child): HTMLElement[] {
  const own = failures.filter((failure) => failure.domain === domain);
  return own.map(({ model, failures, since, at, code, detail }) => {
    const period = failures === 1 ? [] : [count(failures, 'time'), ' since ', time(since), ', last '];
    const text = [
      ...[element('strong', `The model “${model}” fails`), ': ', ...period, time(at), ': ', detail, ' ', element('code', code)],
      '. Readers get quotes of the docs meanwhile.',
    ];
    const made = notice(text, action);
    made.classList.add('failed');
    return made;
  });
}
