import { afterAll, describe, expect, test } from 'vitest';
import { modelSchema } from '../../../../server/sites/model-settings.ts';
import { ModelFailed } from '../../../../server/assistant/model/model-outcome.ts';
import { streamModel } from '../../../../server/assistant/model/model.ts';
import { harbour, openAssistantSite } from '../assistant-site.ts';
import { chunk, done, errorAnswer, openModelServer, recorded, textAnswer, type ModelAnswer } from '../model-server.ts';

const model = await openModelServer();
const site = await openAssistantSite(harbour);
afterAll(() => model.close());

const question = 'How do I install Tidewater with npm?';
const settings = (rest: object = {}) => ({ baseUrl: model.url, model: 'first', ...rest });
const short = { timeouts: { firstChunkMs: 150, chunkMs: 150, totalMs: 5000 } };
/** Limits that an answer meets by silence alone, however busy the machine is. */
const limitsFor = (code: string) => (code === 'ModelTimeout' ? short : {});
const written = 'Install it with `npm install tidewater` [1].';

describe('streams of servers', () => {
  test.each(['llama-cpp', 'llama-cpp-thinking', 'ollama', 'ollama-thinking', 'vllm', 'vllm-thinking', 'think-tag', 'bare'])(
    '%s: the text, and nothing of its thinking',
    async (name) => {
      await site.configure({ model: settings() });
      model.play(recorded(name));
      expect(await site.ask(question)).toMatchObject({ text: written, end: 'stop by model' });
    },
  );

  test('think-tag-unopened: by a setting', async () => {
    await site.configure({ model: settings({ startsThinking: true }) });
    model.play(recorded('think-tag-unopened'));
    expect(await site.ask(question)).toMatchObject({ text: written, end: 'stop by model' });
  });

  test('another tag: by a setting', async () => {
    await site.configure({ model: settings({ thinkingTag: 'reasoning' }) });
    model.play(textAnswer('<reasoning>secret', ' thoughts</reasoning>', 'Visible.'));
    expect((await site.ask(question)).text).toBe('Visible.');
  });

  test('one byte at a time', async () => {
    await site.configure({ model: settings() });
    const { steps } = recorded('vllm');
    model.play({ steps: [...(steps[0] as Uint8Array)].map((byte) => Uint8Array.of(byte)) });
    expect((await site.ask(question)).text).toBe(written);
  });

  test('llama-cpp-tool: the tool is run', async () => {
    await site.configure({ model: settings(), tools: true });
    model.play(recorded('llama-cpp-tool'), textAnswer('Pull the image.'));
    expect((await site.ask(question)).text).toBe('Pull the image.');
    expect(model.requests.at(-1)!.body.messages.at(-1)).toMatchObject({ role: 'tool' });
  });
});

/** What an upstream does before its first word, and what of it is told when nobody else can answer. */
const failures: [title: string, answer: ModelAnswer, code: string][] = [
  ['answers 401', errorAnswer(401, 'Incorrect API key provided: secret-key-1'), 'ModelRefused'],
  ['answers 404', errorAnswer(404, 'model "first" not found, try pulling it first'), 'ModelRefused'],
  ['answers 429 for long', errorAnswer(429, 'Rate limit reached', { 'retry-after': '3600' }), 'ModelBusy'],
  ['answers 429 without a time', errorAnswer(429, 'Rate limit reached'), 'ModelBusy'],
  ['answers 500', errorAnswer(500, 'CUDA out of memory'), 'ModelBroken'],
  [
    'answers 502 with a page',
    { status: 502, headers: { 'content-type': 'text/html' }, steps: ['<html>Bad gateway</html>'] },
    'ModelBroken',
  ],
  ['answers 302', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, steps: [] }, 'ModelBroken'],
  ['answers 200 with a page', { headers: { 'content-type': 'text/html' }, steps: ['<!doctype html><p>Log in</p>'] }, ''],
  ['answers 200 with nothing', { steps: [] }, ''],
  [
    'answers with a refusal as JSON',
    { headers: { 'content-type': 'application/json' }, steps: ['{"error":{"message":"no"}}'] },
    '',
  ],
  ['sends what is no JSON', { steps: ['data: {not json\n\n', done] }, 'ModelBroken'],
  ['sends JSON of another kind', { steps: ['data: {"hello":"world"}\n\n', done] }, ''],
  ['sends an error object', { steps: ['data: {"error":{"message":"boom"}}\n\n', done] }, 'ModelBroken'],
  ['ends without a word', { steps: [chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), done] }, 'ModelEmpty'],
  ['ends with blanks', { steps: [chunk({ content: ' \n ' }), chunk({}, 'stop'), done] }, 'ModelEmpty'],
  ['only thinks', recorded('ollama-only-thinking'), 'ModelEmpty'],
  ['only thinks in a tag that never closes', textAnswer('<think>', 'on and', ' on'), 'ModelEmpty'],
  ['never answers', { before: ['hang'], steps: [] }, 'ModelTimeout'],
  ['sends headers and nothing else', { steps: ['hang'] }, 'ModelTimeout'],
  ['sends comments for ever', { steps: Array.from({ length: 200 }, () => [': ping\n\n', { wait: 20 }]).flat() }, 'ModelTimeout'],
  ['cuts the connection at once', { steps: ['cut'] }, ''],
];

describe('an upstream that fails before its first word', () => {
  test.each(failures)('%s: a second model answers, or else the docs are quoted', async (_, answer, code) => {
    const first = { ...limitsFor(code), apiKey: 'secret-key-1' };
    await site.configure({ model: settings(first), fallback: settings({ model: 'second' }) });
    model.play((request) => (request.body.model === 'second' ? textAnswer('By the second [1].') : answer));
    const { events, text, end } = await site.ask(question);
    expect([text, end]).toEqual(['By the second [1].', 'stop by model']);
    expect(events.filter(({ type }) => type === 'source')).toHaveLength(1);

    await site.configure({ model: settings(first) });
    const quoted = await site.ask(question);
    expect(quoted.end).toBe('stop by quotes');
    expect(quoted.text).toContain('npm install tidewater');

    const failed = await failureOf(first);
    expect(failed.code).toBe(code || failed.code);
    expect(`${failed.message} ${failed.detail}`).not.toContain('secret-key-1');
  });

  test('both fail: the docs are quoted', async () => {
    await site.configure({ model: settings(), fallback: settings() });
    model.play(errorAnswer(500, 'no'));
    expect((await site.ask(question)).end).toBe('stop by quotes');
  });

  test('no server listens at the URL of the model', async () => {
    const gone = await openModelServer();
    await gone.close();
    await site.configure({ model: { baseUrl: gone.url, model: 'first' } });
    expect((await site.ask(question)).end).toBe('stop by quotes');
    expect((await failureOf({ baseUrl: gone.url })).code).toBe('ModelUnreachable');
  });

  test.each([
    [429, { 'retry-after': '0' }],
    [429, { 'retry-after-ms': '10' }],
    [503, { 'retry-after': '0' }],
  ])('a model that answers %d %j gets a second request', async (status, headers) => {
    await site.configure({ model: settings() });
    const before = model.requests.length;
    model.play(errorAnswer(status, 'Loading model', headers), textAnswer('Now.'));
    expect(await site.ask(question)).toMatchObject({ text: 'Now.', end: 'stop by model' });
    expect(model.requests.length - before).toBe(2);
    model.play(errorAnswer(status, 'Loading model', headers));
    expect((await site.ask(question)).end).toBe('stop by quotes');
    expect(model.requests.length - before).toBe(4);
  });
});

describe('an upstream that fails after its first words', () => {
  const begun = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Install it [' }), chunk({ content: '1' })];
  test.each<[string, ModelAnswer, string]>([
    ['cuts the connection', { steps: [...begun, 'cut'] }, 'ModelCutOff'],
    ['ends without a finish', { steps: begun }, 'ModelCutOff'],
    ['ends with [DONE] but no finish', { steps: [...begun, done] }, 'ModelCutOff'],
    ['sends an error object', recorded('vllm-error'), 'ModelCutOff'],
    ['sends what is no JSON', { steps: [...begun, 'data: {not\n\n', done] }, 'ModelCutOff'],
    ['goes silent', { steps: [...begun, 'hang'] }, 'ModelTimeout'],
  ])('%s: the reader gets the text so far, then the reason', async (_, answer, code) => {
    const limits = code === 'ModelTimeout' ? { timeouts: { chunkMs: 1500 } } : {};
    await site.configure({ model: settings(limits), fallback: settings({ model: 'second' }) });
    model.play(answer);
    const before = model.requests.length;
    const { events, text, end } = await site.ask(question);
    expect(text).toMatch(/^Install it/);
    const last = events.at(-1)!;
    expect(last).toMatchObject({ type: 'failed', message: 'The answer was cut off. Ask again.' });
    expect(end).toBe(code);
    expect(events.filter(({ type }) => type === 'end')).toEqual([]);
    expect(model.requests.length - before).toBe(1);
  });
});

test('a model that is slow, but never silent for too long, can finish its answer', async () => {
  await site.configure({ model: settings({ timeouts: { firstChunkMs: 20_000, chunkMs: 20_000, totalMs: 60_000 } }) });
  model.play({
    before: [{ wait: 300 }],
    steps: ['One ', 'two ', 'three.'].flatMap((content) => [{ wait: 100 }, chunk({ content })]).concat([chunk({}, 'stop'), done]),
  });
  expect(await site.ask(question)).toMatchObject({ text: 'One two three.', end: 'stop by model' });
});

test('the total timeout ends an answer that never stops', async () => {
  await site.configure({ model: settings({ timeouts: { firstChunkMs: 10_000, chunkMs: 10_000, totalMs: 2000 } }) });
  model.play({ steps: Array.from({ length: 100 }, () => [chunk({ content: 'more ' }), { wait: 50 }]).flat() });
  expect((await site.ask(question)).end).toBe('ModelTimeout');
});

describe('addresses of models', () => {
  test('a model in a private network is refused, unless an operator named it or allows its network', async () => {
    const before = model.requests.length;
    await site.configure({ model: settings() }, { trusted: false });
    expect((await site.ask(question)).end).toBe('stop by quotes');
    const port = new URL(model.url).port;
    await site.configure({ model: settings({ baseUrl: `http://localhost:${port}/v1` }) }, { trusted: false });
    expect((await site.ask(question)).end).toBe('stop by quotes');
    expect(model.requests.length).toBe(before);
    model.play(textAnswer('Reached.'));
    site.services.options.privateHosts.push('127.0.0.0/8', '::1/128');
    expect((await site.ask(question)).text).toBe('Reached.');
    site.services.options.privateHosts.length = 0;
    await site.configure({ model: settings() });
    expect((await site.ask(question)).text).toBe('Reached.');
  });
});

async function failureOf(rest: object): Promise<ModelFailed> {
  const { apiKey, headers: _, ...parsed } = modelSchema.parse(settings(rest));
  const call = {
    model: { ...parsed, ...(apiKey ? { apiKey } : {}), headers: {}, trusted: true },
    prompt: { instructions: 'Be brief.', messages: [{ role: 'user' as const, content: 'Hello?' }] },
    signal: new AbortController().signal,
    allowed: [],
  };
  try {
    for await (const _ of streamModel(call));
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    return error;
  }
  throw new Error('The model answered.');
}
