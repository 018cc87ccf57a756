// An embedding model behind the `/embeddings` endpoint of an OpenAI-compatible server, which the operator chose.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { errorMessage } from '../errors.ts';
import { readAtMost } from './download.ts';
import { createPool, safeRequest } from './safe-fetch.ts';

export interface EmbeddingModel {
  /** URL that `/embeddings` is below: `http://127.0.0.1:11434/v1`. */
  url: string;
  model: string;
  /** Sent as a bearer token. */
  key?: string;
}

/** The variable with the key: a command line is visible to other users of the machine. */
export const embeddingsKeyVariable = 'CARREL_EMBEDDINGS_KEY';

export interface EmbeddingRequest {
  signal?: AbortSignal;
  /** Milliseconds until the response must begin. */
  timeout: number;
  /** How often to try while the endpoint is busy. @default 1 */
  attempts?: number;
}

/** The endpoint has no vectors. The message is the end of a sentence, without a secret. */
export class EmbeddingsFailed extends Error {
  override name = 'EmbeddingsFailed';
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1) })),
});

const mostBytes = 100_000_000;
const busy = [429, 502, 503, 504];
const pool = createPool();

/** One vector for each text, all of the same dimension. Throws `EmbeddingsFailed`, and the reason of the signal. */
export async function embed(model: EmbeddingModel, texts: string[], request: EmbeddingRequest): Promise<Float32Array[]> {
  const { attempts = 1, signal } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await post(model, texts, request);
      if (attempt < attempts && busy.includes(response.status)) {
        await response.body?.cancel();
        await setTimeout(1000 * 2 ** (attempt - 1), undefined, { signal });
        continue;
      }
      return vectorsIn(await bodyOf(response), texts.length);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EmbeddingsFailed) throw error;
      throw new EmbeddingsFailed(`it did not answer (${errorMessage(error)})`, { cause: error });
    }
  }
}

function post({ url, model, key }: EmbeddingModel, input: string[], { signal, timeout }: EmbeddingRequest): Promise<Response> {
  return safeRequest(new URL(`${url.replace(/\/+$/, '')}/embeddings`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
    signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
    allowed: 'any',
    pool,
  });
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = new TextDecoder().decode(await readAtMost(response, mostBytes));
  if (!response.ok) throw new EmbeddingsFailed(`it answered ${response.status}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new EmbeddingsFailed('its answer is not JSON');
  }
}

function vectorsIn(answer: unknown, count: number): Float32Array[] {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) throw new EmbeddingsFailed('its answer has no embeddings');
  const vectors: Float32Array[] = [];
  for (const [at, { index = at, embedding }] of data.data.entries()) vectors[index] = Float32Array.from(embedding);
  const dimensions = new Set(Array.from({ length: count }, (_, i) => vectors[i]?.length));
  if (vectors.length !== count || dimensions.has(undefined))
    throw new EmbeddingsFailed(`it answered ${data.data.length} vectors for ${count} texts`);
  if (dimensions.size > 1) throw new EmbeddingsFailed('its vectors have different dimensions');
  return vectors;
}
