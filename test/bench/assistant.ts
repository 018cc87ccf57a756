import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { gate } from '../support/gate.ts';
import { chunk, done, openModelServer, textAnswer, type ModelServer } from '../server/assistant/model-server.ts';
import type { Answer, Command } from './assistant-run.ts';
import { writeIndexedExport } from '../support/indexed-export.ts';
import { generatePages } from './generate-docs.ts';
import { randomNumbers } from '../support/generated-pages.ts';

export interface AssistantBenchOptions {
  /** Of about six sections. */
  pages: number;
  questions: number;
  streams: number;
}

type Made = Awaited<ReturnType<typeof writeIndexedExport>>;

const aims = { firstText: 15, memory: 250, abort: 1000 };

/**
 * Measures the assistant of a server in a process of its own, with a model that answers at once: what is in the times is all ours, and
 * the loopback. Prints whether the aims are met.
 */
export async function benchAssistant({ pages, questions, streams }: AssistantBenchOptions): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-assistant-'));
  const model = await openModelServer(textAnswer('It is so [1].'));
  const [one, two] = [await newExport(folder, pages, 'one'), await newExport(folder, pages, 'two')];
  const server = await startServer(folder, model.url);
  try {
    await server.tell({ activate: one.made });
    console.log(`${pages} pages, ${one.sections} sections`);
    await firstTexts(server, questionsOn(pages, questions));
    await openStreams(server, model, streams);
    await takeOver(server, model, two.made);
  } finally {
    await server.stop();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** An export with one page of its own, so that an answer tells which one it came from. */
async function newExport(folder: string, pages: number, version: string) {
  const generated = generatePages(pages).map(({ path, markdown }) => {
    const [, title = '', body = ''] = /^---\ntitle: (.*)\n[^]*?\n---\n([^]*)$/.exec(markdown)!;
    return { path, title, markdown: body };
  });
  const own = { path: `news/${version}`, title: 'Whatsnewhere', markdown: `Whatsnewhere is ${version}.` };
  const all = [own, ...generated];
  return {
    made: await writeIndexedExport(path.join(folder, version), all, { version }),
    sections: all.reduce((sum, { markdown }) => sum + markdown.split(/^## /m).length, 0),
  };
}

/** Milliseconds from the question to the first text, one question after the other. */
async function firstTexts(server: BenchServer, questions: string[]): Promise<void> {
  const cold = await timeToText(server, questions[0]!);
  const before = await server.tell({ usage: true });
  const times: number[] = [];
  for (const question of questions) times.push(await timeToText(server, question));
  const { cpuSeconds } = await server.tell({ usage: true });
  const cpu = ((cpuSeconds! - before.cpuSeconds!) / questions.length) * 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  console.log(`first text: ${shown(cold)} ms for the first question of all, which opens the index`);
  console.log(`a whole answer: ${shown(cpu)} ms of the server's CPU on average`);
  tell(
    `first text: median ${shown(at(0.5))} ms, p95 ${shown(at(0.95))} ms of ${times.length} questions`,
    at(0.95),
    aims.firstText,
  );
}

async function timeToText(server: BenchServer, question: string): Promise<number> {
  const started = performance.now();
  let first: number | undefined;
  for await (const { type } of chunksOf(server, question)) if (type === 'text-delta') first ??= performance.now() - started;
  if (first === undefined) throw new Error(`There was no answer to "${question}".`);
  return first;
}

/** Streams that have begun and wait for their model; then all readers leave at once. */
async function openStreams(server: BenchServer, model: ModelServer, count: number): Promise<void> {
  const idle = (await server.tell({ usage: true })).memory!;
  const before = model.requests.length;
  model.play({ steps: [chunk({ content: 'It ' }), chunk({ content: 'is ' }), 'hang'] });
  const readers = await Promise.all(Array.from({ length: count }, (_, at) => openReader(server, `What of Whatsnewhere ${at}?`)));
  const memory = (await server.tell({ usage: true })).memory!;
  tell(`${count} open streams: ${Math.round((memory - idle) / 1e6)} MB over idle`, (memory - idle) / 1e6, aims.memory);

  const left = performance.now();
  const seen = model.requests.slice(before).map(async (request) => {
    if (await request.left) return performance.now() - left;
    throw new Error('A stream ended before its reader left.');
  });
  for (const reader of readers) reader.destroy();
  const times = await Promise.all(seen);
  if (times.length !== count) throw new Error(`${times.length} models were asked for ${count} streams.`);
  tell(`${count} readers left: the last model was told ${shown(Math.max(...times))} ms later`, Math.max(...times), aims.abort);
}

/** A reader that is told when the first text has come; it reads no further. */
async function openReader({ address, key }: BenchServer, question: string): Promise<ClientRequest> {
  const sent = request(messageUrl(address), { method: 'POST', agent, headers: headersWith(key) });
  sent.on('error', () => undefined);
  sent.end(bodyOf(question));
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  response.on('error', () => undefined);
  let text = '';
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${(await response.toArray()).join('')}`);
  await new Promise<void>((resolve) =>
    response.on('data', (piece: Buffer) => {
      text += String(piece);
      if (text.includes('text-delta')) resolve();
    }),
  );
  return sent;
}

const agent = new Agent({ maxSockets: Infinity, keepAlive: false });

/** A new export is put in the place of the former while answers are being written. */
async function takeOver(server: BenchServer, model: ModelServer, next: Made): Promise<void> {
  const count = 100;
  const end = gate();
  model.play({
    steps: [chunk({ content: 'It is ' }), { until: end.opened }, chunk({ content: 'so.' }), chunk({}, 'stop'), done],
  });
  const running = Array.from({ length: count }, async (_, at) => {
    const types: string[] = [];
    for await (const { type } of chunksOf(server, `What of Whatsnewhere ${at}?`)) types.push(type);
    return types.at(-1) === 'finish' && !types.includes('error');
  });
  while (model.requests.length === 0 || model.requests.at(-1)!.body.stream === undefined) await model.next();
  await server.tell({ activate: next });
  model.play(textAnswer('It is so [1].'));
  const active = performance.now();
  let asked = 0;
  while (!(await sourcesOf(server)).some((url) => url.includes('news/two'))) asked++;
  const seconds = (performance.now() - active) / 1000;
  end.open();
  const whole = (await Promise.all(running)).filter(Boolean).length;
  console.log(
    `new export: answers come from it ${shown(seconds)} s after it became active (${asked} came from the former meanwhile)`,
  );
  console.log(`new export: ${whole} of ${count} running streams ended whole (aim: all): ${whole === count ? 'met' : 'MISSED'}`);
}

async function sourcesOf(server: BenchServer): Promise<string[]> {
  const urls: string[] = [];
  for await (const { type, url } of chunksOf(server, 'Whatsnewhere?')) if (type === 'source-url') urls.push(url!);
  return urls;
}

async function* chunksOf({ address, key }: BenchServer, question: string): AsyncGenerator<{ type: string; url?: string }> {
  const response = await fetch(messageUrl(address), { method: 'POST', headers: headersWith(key), body: bodyOf(question) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) if (data !== '[DONE]') yield JSON.parse(data);
}

function messageUrl(address: string): string {
  return `${address}/discovery/v2/assistant/bench.test/message`;
}

function headersWith(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

let visitor = 0;

function bodyOf(question: string): string {
  const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: question }] }];
  return JSON.stringify({ fp: `visitor-${visitor++}`, messages });
}

/**
 * Questions as people ask them, in the words of the docs; but for the hundred words that make up half of their text, which are in the
 * place of a language's little ones, that nobody searches for.
 */
function questionsOn(pages: number, count: number): string[] {
  const random = randomNumbers(1);
  const docs = generatePages(pages);
  return Array.from({ length: count }, () => {
    const { markdown } = docs[Math.floor(random() * docs.length)]!;
    const words = markdown.match(/(?<=\s)[a-z]{6,}(?=[\s.])/g)!;
    const from = Math.floor(random() * (words.length - 12));
    return `How do I ${words.slice(from, from + 3 + Math.floor(random() * 8)).join(' ')}?`;
  });
}

interface BenchServer {
  address: string;
  key: string;
  tell(command: Command): Promise<Answer>;
  stop(): Promise<void>;
}

async function startServer(folder: string, model: string): Promise<BenchServer> {
  const script = path.join(import.meta.dirname, 'assistant-run.ts');
  const child = fork(script, [folder, model], {
    // Those of `carrel server`.
    execArgv: [
      '--max-semi-space-size=32',
      '--liftoff-only',
      '--heap-growing-percent=20',
      '--disable-warning=ExperimentalWarning',
    ],
  });
  const { address, key } = await answerOf(child);
  const tell = async (command: Command) => {
    const answer = answerOf(child);
    child.send(command);
    return answer;
  };
  return {
    address: address!,
    key: key!,
    tell,
    async stop() {
      const ended = once(child, 'close');
      child.send({ stop: true } satisfies Command);
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const failed = once(child, 'close').then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`)));
  failed.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, 'message'), failed])) as [Answer];
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

function tell(what: string, value: number, aim: number): void {
  console.log(`${what} (aim: at most ${aim}): ${value <= aim ? 'met' : 'MISSED'}`);
}

function shown(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
