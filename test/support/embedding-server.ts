// A real HTTP server that plays the `/embeddings` endpoint of an OpenAI-compatible server. The same text always has the same vector, and words
// of one meaning are one word to it: what its caller finds by meaning follows from this list alone.
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

const meanings = [
  ['remove', 'delete', 'erase', 'löschen', 'entferne'],
  ['password', 'passphrase', 'kennwort'],
  ['invoice', 'bill', 'rechnung'],
];
const meaningOf = new Map(meanings.flatMap((words) => words.map((word) => [word, words[0]!])));

export interface EmbeddingServer extends AsyncDisposable {
  /** Base URL, as an option takes it. */
  url: string;
  requests: { model: string; input: string[]; authorization?: string }[];
  /** Changes how the next requests are answered; by default with vectors of 32 numbers. */
  answers: {
    dimension: number;
    /** Answers with this status, this many times. */
    refuses: { status: number; times: number };
    /** Answers with this body. */
    body?: string;
    /** Sends nothing. */
    hangs: boolean;
  };
}

export async function openEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingServer['requests'] = [];
  const answers: EmbeddingServer['answers'] = { dimension: 32, refuses: { status: 200, times: 0 }, hangs: false };
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const { model, input } = JSON.parse(text) as { model: string; input: string[] };
    requests.push({ model, input, authorization: incoming.headers.authorization });
    if (answers.hangs) return;
    const { refuses, dimension, body } = answers;
    if (refuses.times > 0) {
      refuses.times--;
      response.writeHead(refuses.status, { 'content-type': 'application/json' }).end('{"error":"no vectors today"}');
      return;
    }
    const data = input.map((one, index) => ({ object: 'embedding', index, embedding: vectorOf(one, dimension) }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body ?? JSON.stringify({ object: 'list', model, data }));
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}/v1`,
    requests,
    answers,
    [Symbol.asyncDispose]: () => close(server),
  };
}

/** The sum of a direction for each of its words. */
function vectorOf(text: string, dimension: number): number[] {
  const vector = Array<number>(dimension).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const digest = hash('sha512', meaningOf.get(word) ?? word, 'buffer');
    for (let i = 0; i < dimension; i++) vector[i]! += (digest[i % digest.length]! - 127.5) / 127.5;
  }
  return vector;
}
