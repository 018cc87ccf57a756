// Whether the server of a model can be reached: it is asked for the list of its models, which costs nothing.
import { errorCode } from '../../../integration/errors.ts';
import { orAfter } from '../../platform/timing.ts';
import type { Model } from '../../sites/model-settings.ts';
import { createModelFetch } from './model-fetch.ts';

export interface ModelCheck {
  /** `unlisted`: the server has a list without the model, which only some servers refuse. */
  state: 'ok' | 'unlisted' | 'rejected' | 'unavailable';
  /** Why it is not `ok`, or what is not certain, without secrets. */
  detail?: string;
}

const mostMilliseconds = 5000;
const longestList = 1_000_000;

/** Never throws. */
export async function checkModel({ baseUrl, model, apiKey, headers, trusted }: Model, allowed: string[]): Promise<ModelCheck> {
  const ask = createModelFetch({ trusted, allowed, milliseconds: mostMilliseconds });
  try {
    const response = await ask(`${baseUrl}/models`, {
      headers: { accept: 'application/json', ...headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.timeout(mostMilliseconds),
    });
    const { status } = response;
    const list = response.ok ? listIn(await beginningOf(response)) : undefined;
    if (!response.ok) await response.body?.cancel();
    if (status === 401 || status === 403) return { state: 'rejected', detail: `status ${status}` };
    if (status >= 500) return { state: 'unavailable', detail: `status ${status}` };
    // A server without a list answers 404, and so does one at another base URL.
    if (!response.ok) return { state: 'ok', detail: `it has no list of models: status ${status} for ${baseUrl}/models` };
    if (list === undefined)
      return {
        state: 'unavailable',
        detail: `${baseUrl}/models responds, but not with JSON: it is not an OpenAI-compatible API`,
      };
    if (list.length === 0 || list.includes(model)) return { state: 'ok' };
    return { state: 'unlisted', detail: list.slice(0, 10).join(', ') };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { state: 'unavailable', detail: isLate ? 'no response' : reasonOf(errorCode(error)) };
  }
}

function reasonOf(code: string | undefined): string {
  if (code === 'ECONNREFUSED') return `${code}, nothing listens at its host and port`;
  if (code === 'ENOTFOUND') return `${code}, its host was not found`;
  return code ?? 'the connection failed';
}

async function beginningOf(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > longestList) break;
  }
  return text;
}

/** The names in a list of models; empty for JSON of another shape, undefined for what is not JSON. */
function listIn(text: string): string[] | undefined {
  try {
    const { data } = (JSON.parse(text) ?? {}) as { data?: unknown };
    if (!Array.isArray(data)) return [];
    return data.flatMap((entry: { id?: unknown } | null) => (typeof entry?.id === 'string' ? [entry.id.slice(0, 200)] : []));
  } catch {
    return undefined;
  }
}

export interface WatchOptions {
  /** Milliseconds for which a check counts. @default 30000 */
  every?: number;
  /** Milliseconds that a caller waits for a check if there is none, or only an old one. @default 1000 */
  wait?: number;
  onChange?: (check: ModelCheck) => void;
}

/** The last check of a model, which is repeated in the background when it is asked for; undefined if there is none, or only an old one. */
export function watchModel(check: () => Promise<ModelCheck>, { every = 30_000, wait = 1000, onChange }: WatchOptions = {}) {
  let last: ModelCheck | undefined;
  let checkedAt = -Infinity;
  let running: Promise<void> | undefined;
  const isOld = () => performance.now() - checkedAt > 2 * every;
  return async (): Promise<ModelCheck | undefined> => {
    if (performance.now() - checkedAt > every)
      running ??= check().then((found) => {
        const isChange = found.state !== (last?.state ?? 'ok');
        [last, checkedAt, running] = [found, performance.now(), undefined];
        if (isChange) onChange?.(found);
      });
    if (isOld() && running) await orAfter(running, wait, { ref: false });
    return isOld() ? undefined : last;
  };
}
