// A real HTTP server that plays an OpenAI-compatible model from a script: one answer a request, the last one again and again.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { close as closeServer } from '../../support/listen.ts';

/**
 * What happens while an answer is written. Text goes out verbatim, but "hang" sends nothing more over the open connection, and
 * "cut" breaks the connection.
 */
type Step =
  | string
  | Uint8Array
  /** Milliseconds of silence. */
  | { wait: number }
  /** Silence until something else happens. */
  | { until: Promise<unknown> };

export interface ModelAnswer {
  /** @default 200 */
  status?: number;
  headers?: Record<string, string>;
  /** Before the headers: a model that is being loaded. */
  before?: Step[];
  steps: Step[];
}

/** What a model server gets in `POST …/chat/completions`. */
export interface ChatRequest {
  model: string;
  stream: boolean;
  messages: { role: string; content: string; tool_calls?: unknown[] }[];
  tools?: { function: { name: string } }[];
  [key: string]: unknown;
}

export interface ModelRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: ChatRequest;
  /** Resolves when the answer is over: true when the caller left before its end. */
  left: Promise<boolean>;
}

export interface ModelServer extends AsyncDisposable {
  /** Base address, as a setting takes it: `http://127.0.0.1:40000/v1`. */
  url: string;
  /** Those that came, in order. */
  requests: ModelRequest[];
  /** Replaces the script: an answer for each request to come, or what makes one from the request. */
  play(...answers: (ModelAnswer | ((request: ModelRequest) => ModelAnswer))[]): void;
  /** The next request that comes. */
  next(): Promise<ModelRequest>;
  close(): Promise<void>;
}

export async function openModelServer(...script: Parameters<ModelServer['play']>): Promise<ModelServer> {
  let answers = script;
  const requests: ModelRequest[] = [];
  let waiting: ((request: ModelRequest) => void)[] = [];
  const closing = new AbortController();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const left = new Promise<boolean>((over) => response.on('close', () => over(!response.writableEnded)));
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as ChatRequest;
    const request: ModelRequest = { path: incoming.url!, headers: incoming.headers, body, left };
    requests.push(request);
    const heard = waiting;
    waiting = [];
    for (const hear of heard) hear(request);
    const answer = answers.length > 1 ? answers.shift()! : (answers[0] ?? textAnswer('Hello.'));
    const { status = 200, headers, before = [], steps } = typeof answer === 'function' ? answer(request) : answer;
    if (!(await walk(before, response, closing.signal))) return;
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', ...headers });
    response.flushHeaders();
    if (await walk(steps, response, closing.signal)) response.end();
  });
  await new Promise<void>((listening) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, listening));
  const close = async () => {
    closing.abort();
    await closeServer(server);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play(...next) {
      answers = next;
    },
    next: () => new Promise((hear) => waiting.push(hear)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Does the steps; false when the answer is over before their end. */
async function walk(steps: Step[], response: ServerResponse, signal: AbortSignal): Promise<boolean> {
  for (const step of steps) {
    if (response.destroyed) return false;
    if (step === 'hang') return false;
    if (step === 'cut') {
      // What was written before is on its way first.
      await sleep(20);
      response.destroy();
      return false;
    }
    if (typeof step === 'string' || step instanceof Uint8Array) response.write(step);
    else if ('wait' in step) await sleep(step.wait, undefined, { signal }).catch(() => undefined);
    else await Promise.race([step.until, new Promise((ended) => response.on('close', ended))]);
  }
  return true;
}

/** One event of a stream. */
export function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const body = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'scripted', choices };
  return `data: ${JSON.stringify(body)}\n\n`;
}

export const done = 'data: [DONE]\n\n';

/** A whole answer: a chunk for each text, or for each word of a single one. */
export function textAnswer(...texts: string[]): ModelAnswer {
  const parts = texts.length === 1 ? (texts[0]!.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : texts;
  const deltas = parts.map((content) => chunk({ content }));
  return { steps: [chunk({ role: 'assistant', content: '' }), ...deltas, chunk({}, 'stop'), done] };
}

/** The model asks for tools to be run. */
export function toolAnswer(...calls: { name: string; input: object }[]): ModelAnswer {
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: `call_${index}_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { steps: [chunk({ role: 'assistant', content: null, tool_calls }), chunk({}, 'tool_calls'), done] };
}

/** A refusal in the usual form. */
export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}): ModelAnswer {
  return { status, headers, steps: [JSON.stringify({ error: { message, type: 'error', code: status } })] };
}

/** A stream of `fixtures/model`, byte for byte. */
export function recorded(name: string): ModelAnswer {
  return { steps: [readFileSync(new URL(`../../../fixtures/model/${name}.sse`, import.meta.url))] };
}
