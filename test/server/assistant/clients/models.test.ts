// What a reader sees of models of every kind, good and bad, through the whole way from a model's bytes to a real client.
import { afterEach, describe, expect, test } from 'vitest';
import { builds } from './builds.ts';
import { openEndpoint } from './endpoint.ts';
import { exchange, openParts, sourcesOf, textOf, threadOf, userMessage, type Exchange } from './exchange.ts';
import { chunk, errorAnswer, openModelServer, textAnswer, type ModelAnswer } from '../model-server.ts';

const endpoint = await openEndpoint();
const { v2, headers, model } = endpoint;
const [client] = builds;
const scripted = { baseUrl: model.url, model: 'scripted' };
/** The time that a model has which takes too long, and in which another one answers on a busy machine, too. */
const timeouts = { firstChunkMs: 2000, chunkMs: 2000 };
afterEach(() => endpoint.configure({ model: scripted }));

const ask = (text = 'How do I install it with npm?'): Promise<Exchange> =>
  exchange(client!, { api: v2, headers, body: { fp: 'reader-1' }, messages: [userMessage(text)] });

/** All that holds for an answer that ended well, whoever wrote it. */
function expectWhole({ chunks, message, errors }: Exchange): string {
  expect(errors).toEqual([]);
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { threadId: threadOf(message) } });
  expect(chunks.filter(({ type }) => type.startsWith('reasoning'))).toEqual([]);
  expect(openParts(message)).toEqual([]);
  expect(sourcesOf(message).join()).toContain('/guides/install');
  return textOf(message);
}

/** What is quoted when no model answers. */
const quoted = 'npm install tidewater';

test('nothing of what a model thinks is shown, and one that says no [DONE] has answered', async () => {
  const thoughts = ['Secret ', 'thought.'].map((thought) => chunk({ reasoning: thought, content: null }));
  model.play({ steps: [...thoughts, chunk({ content: 'Run npm [1].' }), chunk({}, 'stop')] });
  expect(expectWhole(await ask())).toBe('Run npm [1].');
});

const failing: [string, ModelAnswer][] = [
  ['hangs before its first word', { steps: [chunk({ role: 'assistant', content: '' }), 'hang'] }],
  ['refuses', errorAnswer(401, 'Incorrect API key provided: sk-secret')],
];

describe('a model that gives no answer', () => {
  test.each(failing)('and %s: the docs are quoted', async (_, play) => {
    await endpoint.configure({ model: { ...scripted, timeouts } });
    model.play(play);
    const text = expectWhole(await ask());
    expect(text).toContain(quoted);
    expect(text).not.toContain('secret');
  });

  test.each(failing)('and %s: the second model answers', async (_, play) => {
    await using second = await openModelServer(textAnswer('The second says npm [1].'));
    model.play(play);
    await endpoint.configure({ model: { ...scripted, timeouts }, fallback: { ...scripted, baseUrl: second.url } });
    expect(expectWhole(await ask())).toBe('The second says npm [1].');
  });

  test('for want of one: the docs are quoted, and say when they do not answer', async () => {
    await endpoint.configure({ model: null });
    expect(expectWhole(await ask())).toContain(quoted);
    const { errors, message, chunks } = await ask('Who painted the ceiling of the Sistine Chapel?');
    expect([errors, sourcesOf(message), chunks.at(-1)!.type]).toEqual([[], [], 'finish']);
    expect(textOf(message)).not.toBe('');
  });
});

test('a model that fails is seen in the metadata of the end and in the metrics, by kind', async () => {
  const { registry } = endpoint.server.services.metrics;
  const series = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^carrel_(questions|answer|model)/.test(line));
  const value = async (name: string) => Number((await series()).find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0);
  const names = [
    'carrel_questions_total',
    'carrel_answer_seconds_count{by="quotes",ended="stop"}',
    'carrel_model_failures_total{kind="ModelBroken"}',
    'carrel_answer_seconds_count{by="model",ended="stop"}',
    'carrel_answer_seconds_count{by="none",ended="error"}',
    'carrel_model_failures_total{kind="ModelCutOff"}',
  ];
  const before = await Promise.all(names.map(value));
  await endpoint.configure({ model: scripted });
  model.play(errorAnswer(500, 'CUDA out of memory in /opt/models/secret.gguf'));
  const failed = await ask();
  expect(failed.chunks.at(-1)!.messageMetadata).toMatchObject({ carrel: { answer: 'quotes', reason: 'ModelBroken' } });
  expect(failed.message!.metadata).toMatchObject({ carrel: { answer: 'quotes', reason: 'ModelBroken' } });
  expect(JSON.stringify(failed.chunks)).not.toMatch(/secret|CUDA|scripted/);
  model.play(textAnswer('Run npm [1].'));
  const answered = await ask();
  expect(answered.message!.metadata).toMatchObject({ carrel: { answer: 'model' } });
  expect(answered.message!.metadata).not.toHaveProperty('carrel.reason');
  model.play({ steps: [chunk({ content: 'Run ' }), chunk({ content: 'npm ' }), 'cut'] });
  expect((await ask()).errors).toHaveLength(1);
  const after = await Promise.all(names.map(value));
  expect(after.map((count, i) => count - before[i]!)).toEqual([3, 1, 1, 1, 1, 1]);
  expect((await series()).join()).not.toMatch(/secret|docs\.test|127\.0\.0\.1/);
});

describe.each(builds)('$name', (build) => {
  const asked = () =>
    exchange(build, { api: v2, headers, body: { fp: 'reader-1' }, messages: [userMessage('How do I install it with npm?')] });

  test.each<[string, object | null, ModelAnswer, object]>([
    ['a model', scripted, textAnswer('Run npm [1].'), { answer: 'model' }],
    ['the docs, for want of a model', null, textAnswer(''), { answer: 'quotes', reason: 'NoModel' }],
    ['the docs, since the model failed', scripted, errorAnswer(500, 'no'), { answer: 'quotes', reason: 'ModelBroken' }],
  ])('reads that the answer is by %s', async (_, set, play, carrel) => {
    await endpoint.configure({ model: set });
    model.play(play);
    const { errors, message, chunks } = await asked();
    expect(errors).toEqual([]);
    expect(chunks.at(-1)!.messageMetadata).toMatchObject({ carrel });
    expect(message!.metadata).toMatchObject({ carrel });
  });
});

test('a client gets no HTML, images or foreign links of a model, however they are cut', async () => {
  const pieces = 'Run <img src=x onerror=alert(1)> npm !'
    .split('')
    .concat('[tide](http', '://evil.test/', 'p.png?q=secret) `<b>`', ' [1].');
  model.play(textAnswer(...pieces));
  const { errors, message } = await ask();
  expect(errors).toEqual([]);
  expect(textOf(message)).toBe('Run &lt;img src=x onerror=alert(1)> npm [tide] `<b>` [1].');
});

test('after its answers of the day, the model is not asked: the docs are quoted, until the next day', async () => {
  model.play(textAnswer('Run npm [1].'));
  await endpoint.configure({ model: scripted, answersPerDay: 2 });
  const carrelOf = async () => {
    const { chunks } = await ask();
    return (chunks.at(-1)!.messageMetadata as { carrel: object }).carrel;
  };
  const requests = model.requests.length;
  const day = 86_400_000;
  endpoint.server.clock.now = Math.ceil(endpoint.server.clock.now / day) * day;
  expect([await carrelOf(), await carrelOf(), await carrelOf()]).toEqual([
    { answer: 'model' },
    { answer: 'model' },
    { answer: 'quotes', reason: 'Budget' },
  ]);
  expect(model.requests.length - requests).toBe(2);
  endpoint.server.clock.now += day;
  expect(await carrelOf()).toEqual({ answer: 'model' });
  await endpoint.configure({ model: scripted, answersPerDay: 0 });
  expect(await carrelOf()).toEqual({ answer: 'quotes', reason: 'Budget' });
});

test.each<[string, { assistant?: object; features?: object }, program: string]>([
  ['the budget of the day is used up', { assistant: { answersPerDay: 0 } }, 'quotes'],
  ['the pages quote', { features: { assistant: { mode: 'quotes' } } }, 'model'],
  ['the panel does not ask', { assistant: { panel: false } }, 'model'],
])('where %s, pages that were loaded before get quotes', async (_name, settings, program) => {
  const { server, domain } = endpoint;
  const { services } = server;
  const token = services.pageTokens.create((await services.sites.get(domain))!);
  const asPage = { authorization: `Bearer ${token}`, origin: services.sitesUrl };
  const by = async (sent: Record<string, string>) => {
    const body = JSON.stringify({ fp: 'reader-1', messages: [userMessage('How do I install it with npm?')] });
    const answer = await fetch(v2, { method: 'POST', headers: { ...sent, 'content-type': 'application/json' }, body });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringContaining('npm')]);
    return answer.headers.get('x-carrel-answer') ?? 'model';
  };
  model.play(textAnswer('Run npm [1].'));
  expect(await by(asPage)).toBe('model');
  expect((await server.request('PATCH', `/v1/sites/${domain}`, settings)).status).toBe(200);
  server.clock.now += 1001;
  expect([await by(asPage), await by(headers)]).toEqual(['quotes', program]);
  expect((await server.request('PATCH', `/v1/sites/${domain}`, { features: null })).status).toBe(200);
});

test('a header that pages can read says that there is no model', async () => {
  const post = () =>
    fetch(v2, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', origin: 'https://docs.example.com' },
      body: JSON.stringify({ fp: 'reader-1', messages: [userMessage('How do I install it with npm?')] }),
    });
  await endpoint.configure({ model: null });
  const quotes = await post();
  expect(quotes.headers.get('x-carrel-answer')).toBe('quotes');
  expect(quotes.headers.get('access-control-expose-headers')).toContain('X-Carrel-Answer');
  await quotes.text();
  await endpoint.configure({ model: scripted });
  model.play(textAnswer('Run npm [1].'));
  const byModel = await post();
  expect(byModel.headers.get('x-carrel-answer')).toBeNull();
  await byModel.text();
});

test('metrics count first words, tokens, answers without sources, refused questions and ratings', async () => {
  const { registry } = endpoint.server.services.metrics;
  const value = async (name: string) =>
    Number(
      (await registry.metrics())
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  const names = [
    'carrel_answer_first_text_seconds_count{by="model"}',
    'carrel_answer_first_text_seconds_count{by="quotes"}',
    'carrel_answers_without_sources_total{by="quotes"}',
    'carrel_questions_refused_total{code="ThreadUnknown"}',
    'carrel_feedback_total{rating="down"}',
    'carrel_model_tokens_total{direction="input"}',
    'carrel_model_tokens_total{direction="output"}',
  ];
  const before = await Promise.all(names.map(value));
  const usage = { choices: [], usage: { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 } };
  model.play({
    steps: [chunk({ content: 'Run npm [1].' }), chunk({}, 'stop'), `data: ${JSON.stringify(usage)}\n\n`, 'data: [DONE]\n\n'],
  });
  const { message } = await ask();
  await endpoint.configure({ model: null });
  await ask('Who painted the ceiling of the Sistine Chapel?');
  const json = { ...headers, 'content-type': 'application/json' };
  const unknown = { fp: 'reader-1', threadId: '01JD6Z0000ABCDEFGHJKMNPQRS', messages: [userMessage('And?')] };
  expect((await fetch(v2, { method: 'POST', headers: json, body: JSON.stringify(unknown) })).status).toBe(404);
  const feedback = { fp: 'reader-1', threadId: threadOf(message), messageId: message!.id, rating: 'down' };
  const rated = await fetch(v2.replace(/message$/, 'feedback'), {
    method: 'POST',
    headers: json,
    body: JSON.stringify(feedback),
  });
  expect(rated.status).toBe(204);
  const after = await Promise.all(names.map(value));
  expect(after.map((count, i) => count - before[i]!)).toEqual([1, 1, 1, 1, 1, 1200, 34]);
});

test('a model that fails in the middle: text stays, and the reader is told, without its words', async () => {
  const error = 'data: {"error":{"message":"CUDA secret"}}\n\n';
  model.play({ steps: [chunk({ content: 'Run ' }), chunk({ content: 'npm ' }), error] });
  const { chunks, message, errors } = await ask();
  expect(textOf(message).trim()).toBe('Run npm');
  expect(errors).toEqual([expect.stringMatching(/^Error: [A-Z][^{}]*\.$/)]);
  expect(errors.join()).not.toMatch(/secret|CUDA|127\.0\.0\.1/);
  expect(chunks.slice(-4).map(({ type }) => type)).toEqual(['text-end', 'error', 'finish-step', 'finish']);
  expect(chunks.at(-1)!.messageMetadata).toMatchObject({ threadId: threadOf(message) });
});
