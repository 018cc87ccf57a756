// What an export and a search need of an embedding model; the program that runs them has the connection.

/** An embedding model behind the `/embeddings` endpoint of an OpenAI-compatible server, which the operator chose. */
export interface EmbeddingModel {
  /** URL that `/embeddings` is below: `http://127.0.0.1:11434/v1`. */
  url: string;
  model: string;
  /** Sent as a bearer token. */
  key?: string;
}

/** The variable with the key: a command line is visible to other users of the machine. */
export const embeddingsKeyVariable = 'CARREL_EMBEDDINGS_KEY';

interface EmbeddingRequest {
  signal?: AbortSignal;
  /** Milliseconds until the response is complete. */
  timeout: number;
  /** How often to try while the endpoint is busy. @default 1 */
  attempts?: number;
}

/** One vector for each text, all of the same dimension. Throws `EmbeddingsFailed`, and the reason of the signal. */
export type Embed = (texts: string[], request: EmbeddingRequest) => Promise<Float32Array[]>;

/** The endpoint has no vectors. The message is the end of a sentence, without a secret. */
export class EmbeddingsFailed extends Error {
  override name = 'EmbeddingsFailed';
  /** Whether the endpoint works, but refused these texts: for one that is too long, for example. */
  readonly isAboutTexts: boolean;

  constructor(message: string, { isAboutTexts = false, ...options }: ErrorOptions & { isAboutTexts?: boolean } = {}) {
    super(message, options);
    this.isAboutTexts = isAboutTexts;
  }
}
