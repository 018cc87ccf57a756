// One call to a model: its text as it comes, or why there is no text. Thinking is never part of the text.
import { setTimeout } from 'node:timers/promises';
import { APICallError } from 'ai';
import { errorCode } from '../../../integration/errors.ts';
import { AddressError } from '../../../integration/remote/safe-fetch.ts';
import { beginning } from '../../../integration/text/beginning.ts';
import { onAbort } from '../../../integration/text/on-abort.ts';
import { callModel, type ModelCall } from './model-call.ts';
import { ModelFailed, type ModelEnd, type ModelFault } from './model-outcome.ts';
import type { Model } from '../../sites/model-settings.ts';

const longestWait = 5000;
/** Characters for each token of the longest answer: some servers ignore its limit. */
const charactersPerToken = 8;

/**
 * The text of the answer, piece by piece; at the end how it ended, by length when it has more characters than its tokens can have.
 * Leaving the iteration ends the call.
 * Throws `ModelFailed`, and the signal's reason when that was the cause.
 */
export async function* streamModel(call: ModelCall): AsyncGenerator<string, ModelEnd> {
  // One controller for all that can end the call: composed signals take more memory, and thousands of answers may be open at once.
  const ending = new AbortController();
  const stopListening = onAbort(call.signal, () => ending.abort(call.signal.reason));
  try {
    call.signal.throwIfAborted();
    for (let attempt = 1; ; attempt++) {
      let said = false;
      let left = call.model.maxOutputTokens * charactersPerToken;
      try {
        for await (const part of callModel(call, ending)) {
          if (typeof part !== 'string') return part;
          said = true;
          if (part.length > left) {
            yield beginning(part, left);
            return { reason: 'length' };
          }
          left -= part.length;
          yield part;
        }
        throw new ModelFailed('ModelCutOff', 'the stream ended without a finish');
      } catch (error) {
        call.signal.throwIfAborted();
        const wait = said || attempt > 1 ? undefined : waitBeforeRetry(error);
        if (wait === undefined) throw failureOf(error, call.model, said);
        await setTimeout(wait, undefined, { signal: ending.signal }).catch(() => ending.signal.throwIfAborted());
      }
    }
  } finally {
    stopListening();
    ending.abort();
  }
}

/** Milliseconds after which to try once more; undefined when a second attempt makes no sense. */
function waitBeforeRetry(error: unknown): number | undefined {
  if (!APICallError.isInstance(error) || ![429, 503].includes(error.statusCode ?? 0)) return undefined;
  const named = retryAfter(error.responseHeaders);
  if (named === undefined) return error.statusCode === 503 ? 1000 : undefined;
  return named <= longestWait ? named : undefined;
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] || Number.NaN);
  const seconds = Number(headers?.['retry-after'] || Number.NaN);
  const found = Number.isNaN(milliseconds) ? seconds * 1000 : milliseconds;
  return Number.isNaN(found) || found < 0 ? undefined : found;
}

function failureOf(error: unknown, model: Model, said: boolean): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const detail = withoutSecrets(detailOf(error), model);
  const fail = (code: ModelFault) => new ModelFailed(code, detail, { cause: error });
  // The reader sees an answer that broke off, whatever the reason.
  if (said) return fail('ModelCutOff');
  if (error instanceof AddressError) return fail('ModelUnreachable');
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    if (status === undefined) return fail('ModelUnreachable');
    if (status === 429 || status === 503) return fail('ModelBusy');
    if (status >= 500) return fail('ModelBroken');
    return fail(status >= 400 ? 'ModelRefused' : 'ModelBroken');
  }
  if (error instanceof Error && error.name === 'TimeoutError') return fail('ModelTimeout');
  return fail(unreachable.test(errorCode(error) ?? '') ? 'ModelUnreachable' : 'ModelBroken');
}

const unreachable = /^(?:ECONNREFUSED|ENOTFOUND|EHOST|ENET|ETIMEDOUT|EAI_|CERT_|ERR_TLS|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/;

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `${JSON.stringify(error)}`;
  const status = APICallError.isInstance(error) && error.statusCode !== undefined ? `status ${error.statusCode}, ` : '';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${status}${error.name}: ${error.message}${cause}`;
}

/** Servers may quote the key that they refuse. */
function withoutSecrets(text: string, { apiKey, headers }: Model): string {
  return [apiKey, ...Object.values(headers)]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= 4)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, 2000))
    .slice(0, 300);
}
