// The connection to an embedding model.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AISDKError, APICallError, embedMany } from 'ai';
import { errorMessage } from '../../integration/errors.ts';
import { type Embed, EmbeddingsFailed, type EmbeddingModel } from '../../integration/remote/embeddings.ts';
import { createPool, requestAsFetch } from '../../integration/remote/safe-fetch.ts';

const mostBytes = 100_000_000;
const send = requestAsFetch({ allowed: 'any', pool: createPool(), isRepeatable: true });

export function createEmbed({ url, model, key }: EmbeddingModel): Embed {
  const provider = createOpenAICompatible({ name: 'embeddings', baseURL: url, apiKey: key, fetch: boundedFetch });
  const embedding = provider.embeddingModel(model);
  return async (values, { signal, timeout, attempts = 1 }) => {
    const abortSignal = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
    try {
      const { embeddings } = await embedMany({ model: embedding, values, maxRetries: attempts - 1, abortSignal });
      return checked(embeddings);
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(error);
    }
  };
}

/** Follows no redirects and uses no proxy. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await send(input, init);
  let left = mostBytes;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0) controller.error(new EmbeddingsFailed(`its answer is larger than ${mostBytes / 1_000_000} MB`));
      else controller.enqueue(piece);
    },
  });
  return new Response(response.body?.pipeThrough(bounded) ?? null, response);
};

function checked(embeddings: number[][]): Float32Array[] {
  if (new Set(embeddings.map(({ length }) => length)).size > 1)
    throw new EmbeddingsFailed('its vectors have different dimensions');
  if (embeddings.some((vector) => vector.length === 0)) throw new EmbeddingsFailed('its vectors are empty');
  return embeddings.map((vector) => Float32Array.from(vector));
}

// One of them may be too long, for example.
const aboutTexts = [400, 413, 422];

function failureOf(error: unknown): EmbeddingsFailed {
  const last = error instanceof Error && 'lastError' in error ? error.lastError : error;
  if (last instanceof EmbeddingsFailed) return last;
  if (!APICallError.isInstance(last)) {
    const reason = AISDKError.isInstance(last)
      ? `its answer is not valid: ${last.message}`
      : `it did not answer (${errorMessage(last)})`;
    return new EmbeddingsFailed(reason, { cause: error });
  }
  const { statusCode, responseBody = '', cause } = last;
  if (cause instanceof EmbeddingsFailed) return cause;
  if (statusCode === undefined) return new EmbeddingsFailed(`it did not answer (${last.message})`, { cause: error });
  const said = responseBody.replace(/\s+/g, ' ').slice(0, 200);
  const reason = statusCode < 400 ? `its answer has no embeddings: ${said}` : `it answered ${statusCode}: ${said}`;
  return new EmbeddingsFailed(reason, { cause: error, isAboutTexts: aboutTexts.includes(statusCode) });
}
