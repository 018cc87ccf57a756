// Models that take tools, and those that do not.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { harbour, openAssistantSite } from '../assistant-site.ts';
import {
  chunk,
  done,
  errorAnswer,
  openModelServer,
  textAnswer,
  toolAnswer,
  type ModelAnswer,
  type ModelRequest,
} from '../model-server.ts';

const model = await openModelServer();
const site = await openAssistantSite(harbour);
afterAll(() => model.close());

// What was remembered of a model belongs to its settings.
let name = 0;
beforeEach(() => site.configure({ model: settings() }));
const settings = (rest: object = {}) => ({ baseUrl: model.url, model: `model-${name++}`, ...rest });
const question = 'How do I install Tidewater with npm?';
const search = toolAnswer({ name: 'search', input: { query: 'port' } });
const toolsIn = ({ body }: ModelRequest) => (body.tools ?? []).length;
const toolAnswers = ({ body }: ModelRequest) => body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
const json = (error: unknown): ModelAnswer['steps'] => [JSON.stringify(error)];

const refusals: [title: string, answer: ModelAnswer][] = [
  ['Ollama does', errorAnswer(400, 'registry.ollama.ai/library/gemma:latest does not support tools')],
  ['vLLM does', errorAnswer(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
  ['llama.cpp does', errorAnswer(500, 'tools param requires --jinja flag')],
  ['a strict server does', { status: 422, steps: json({ detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'] }] }) }],
  ['a router does', errorAnswer(404, 'No endpoints found that support tool use.')],
  ['one that does not say why does', errorAnswer(400, 'Bad request')],
  ['a web page does', { status: 501, headers: { 'content-type': 'text/html' }, steps: ['<h1>Not implemented</h1>'] }],
  ['an event does', { steps: ['data: {"error":{"message":"function calling is not available"}}\n\n'] }],
];

describe('a model that refuses tools', () => {
  test.each(refusals)('as %s answers without them, and is not offered them again for an hour', async (_, refusal) => {
    const play = ({ body }: ModelRequest) => (body.tools ? refusal : textAnswer('Run npm [1].'));
    const asked = async () => {
      const before = model.requests.length;
      const { text, events } = await site.ask(question);
      expect(text).toBe('Run npm [1].');
      expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop', by: 'model' });
      return model.requests.slice(before).map(toolsIn);
    };
    model.play(play);
    expect(await asked()).toEqual([3, 0]);
    expect(await asked()).toEqual([0]);
    site.clock.now += 61 * 60_000;
    expect(await asked()).toEqual([3, 0]);
  });

  test('in the second request, too', async () => {
    model.play(({ body }) =>
      body.tools
        ? body.messages.some(({ role }) => role === 'tool')
          ? errorAnswer(400, "Only user and assistant roles are supported by the model's template")
          : search
        : textAnswer('Run npm [1].'),
    );
    expect(await site.ask(question)).toMatchObject({ text: 'Run npm [1].', end: 'stop by model' });
  });

  test('by saying nothing answers without them, and is offered them again', async () => {
    model.play(({ body }) => (body.tools ? textAnswer('') : textAnswer('So.')));
    const before = model.requests.length;
    for (const _ of [1, 2]) expect((await site.ask(question)).text).toBe('So.');
    expect(model.requests.slice(before).map(toolsIn)).toEqual([3, 0, 3, 0]);
  });

  test('and everything else leaves the answer to the next model', async () => {
    await site.configure({ model: settings(), fallback: settings({ model: 'second' }) });
    model.play(({ body }) => (body.model === 'second' ? textAnswer('Second.') : errorAnswer(400, 'No.')));
    const before = model.requests.length;
    const { text, events } = await site.ask(question);
    expect([text, events.at(-1)]).toEqual(['Second.', { type: 'end', reason: 'stop', by: 'model', why: 'ModelRefused' }]);
    expect(model.requests.slice(before).map(toolsIn)).toEqual([3, 0, 3]);
  });

  test('and has nothing to answer from is not asked to guess', async () => {
    model.play(({ body }) =>
      body.tools ? refusals[0]![1] : textAnswer(body.messages[0]!.content.includes('queries') ? 'en: qwertyuiop' : 'A guess.'),
    );
    const { text, events } = await site.ask('Qwertyuiop zxcvbnm asdfgh?');
    expect(text).toBe('The docs do not answer this.');
    expect(events.at(-1)).toMatchObject({ by: 'quotes', why: 'NothingFound' });
  });
});

test.each([401, 429, 500, 503])('a failure with the status %s is not tried again without tools', async (status) => {
  model.play(errorAnswer(status, 'no', { 'retry-after': '3600' }));
  const before = model.requests.length;
  expect((await site.ask(question)).end).toBe('stop by quotes');
  expect(model.requests.slice(before).map(toolsIn)).toEqual([3]);
});

test('tools are on, unless the server or the site turns them off', async () => {
  model.play(textAnswer('So.'));
  const offered = async (tools?: boolean) => {
    await site.configure({ model: settings(), ...(tools === undefined ? {} : { tools }) });
    await site.ask(question);
    return toolsIn(model.requests.at(-1)!);
  };
  expect([await offered(), await offered(true), await offered(false)]).toEqual([3, 3, 0]);
  site.services.options.modelTools = false;
  expect([await offered(), await offered(true), await offered(false)]).toEqual([0, 3, 0]);
  site.services.options.modelTools = true;
});

test('a model that never stops using tools answers without them', async () => {
  model.play(({ body }) => (body.tools ? search : textAnswer('Enough.')));
  const before = model.requests.length;
  expect(await site.ask(question)).toMatchObject({ text: 'Enough.', end: 'stop by model' });
  expect(model.requests.slice(before).map(toolsIn)).toEqual([3, 3, 3, 3, 0]);
});

test('a model that speaks before it uses tools, and never stops, answers without them', async () => {
  const call = { id: 'call_1', type: 'function', index: 0, function: { name: 'search', arguments: '{"query":"port"}' } };
  const speaking = { steps: [chunk({ content: 'Let me look.' }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), done] };
  model.play(({ body }) => (body.tools ? speaking : textAnswer('Run it [1].')));
  const { text, end } = await site.ask(question);
  expect(text).toMatch(/^Let me look\.\n\n[^]*\n\nRun it \[1\]\.$/);
  expect(end).toBe('stop by model');
});

test('what a model says before it uses a tool is a paragraph of its own', async () => {
  const call = { id: 'call_1', type: 'function', index: 0, function: { name: 'search', arguments: '{"query":"port"}' } };
  model.play(
    { steps: [chunk({ content: 'Let me look.' }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), done] },
    textAnswer('\n', 'Run it.'),
  );
  expect((await site.ask(question)).text).toBe('Let me look.\n\nRun it.');
});

test.each<[string, string]>([
  ['a tool that there is not', '{"name":"shell","arguments":"{\\"command\\":\\"id\\"}"}'],
  ['no name', '{"arguments":"{}"}'],
  ['input that is no JSON', '{"name":"search","arguments":"{\\"query\\":"}'],
  ['input of another type', '{"name":"read_page","arguments":"[1,2]"}'],
  ['an empty query', '{"name":"search","arguments":"{\\"query\\":\\"\\"}"}'],
  ['an offset that is no number', '{"name":"list_pages","arguments":"{\\"offset\\":\\"all\\"}"}'],
])('%s does not cost the answer', async (_, call) => {
  const tool_calls = [{ index: 0, id: 'call_1', type: 'function', function: JSON.parse(call) }];
  model.play(({ body }) =>
    body.messages.some(({ role }) => role === 'tool') || !body.tools
      ? textAnswer('Run npm [1].')
      : { steps: [chunk({ tool_calls }), chunk({}, 'tool_calls'), done] },
  );
  expect(await site.ask(question)).toMatchObject({ text: 'Run npm [1].', end: 'stop by model' });
});

test('a million passages and a thousand calls at once stay within the context of the model', async () => {
  const calls = Array.from({ length: 1000 }, (_, i) => ({ name: 'search', input: { query: `port ${i}`, limit: 1_000_000 } }));
  model.play(({ body }) => (body.messages.some(({ role }) => role === 'tool') ? textAnswer('So.') : toolAnswer(...calls)));
  expect((await site.ask(question)).text).toBe('So.');
  const answers = toolAnswers(model.requests.at(-1)!);
  expect(answers).toHaveLength(1000);
  // Whichever search ends first has it.
  expect(answers.join('')).toContain('7700');
  expect(answers.join('').length).toBeLessThan(4 * 8192);
});

test('a model that used a tool and then fails is still offered tools', async () => {
  const tooLong = errorAnswer(400, "This model's maximum context length is 8192 tokens");
  model.play(({ body }) =>
    !body.tools ? textAnswer('Run npm [1].') : body.messages.some(({ role }) => role === 'tool') ? tooLong : search,
  );
  const before = model.requests.length;
  for (const _ of [1, 2]) expect((await site.ask(question)).text).toBe('Run npm [1].');
  expect(model.requests.slice(before).map(toolsIn)).toEqual([3, 3, 0, 3, 3, 0]);
});

test('pages that are read at once stay within the context of the model together', async () => {
  const long = (path: string) => ({ path, title: path, markdown: `${`Words of ${path}. `.repeat(3000)}\n` });
  await site.configure({ model: settings() }, { domain: 'long.test' });
  await site.exportPages([long('one'), long('two'), long('three')], 'long.test');
  const read = ['one', 'two', 'three'].map((path) => ({ name: 'read_page', input: { path } }));
  model.play(({ body }) => (body.messages.some(({ role }) => role === 'tool') ? textAnswer('So.') : toolAnswer(...read)));
  expect((await site.ask('Words of one?', { domain: 'long.test' })).text).toBe('So.');
  const answers = toolAnswers(model.requests.at(-1)!);
  expect(answers[1]).toContain('Words of two.');
  // Half of the room is for tools.
  expect(answers.join('').length / 4).toBeLessThan((8192 - 1024) / 2);
});

test.each([
  ['calls', { index: 0, id: 'call_1', function: { name: 'search', arguments: '' } }, 20_000],
  ['names', { index: 0, id: 'call_1', function: { name: 'x'.repeat(20_000), arguments: '' } }, 10],
])('%s of tools without an end end the call', async (_, call, count) => {
  const steps = Array.from({ length: count }, (_, index) =>
    chunk({ tool_calls: [{ ...call, index, id: `call_${index}`, type: 'function' }] }),
  );
  model.play(({ body }) => (body.tools ? { steps: [...steps, 'hang'] } : textAnswer('Run npm [1].')));
  const coming = model.next();
  expect((await site.ask(question)).text).toBe('Run npm [1].');
  expect(await (await coming).left).toBe(true);
});

test('input of tools without an end ends the call', async () => {
  const piece = { tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(20_000) } }] };
  const begin = {
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query":"' } }],
  };
  const flood: ModelAnswer = { steps: [chunk(begin), ...Array.from({ length: 10 }, () => chunk(piece)), 'hang'] };
  model.play(({ body }) => (body.tools ? flood : textAnswer('Run npm [1].')));
  const coming = model.next();
  expect((await site.ask(question)).text).toBe('Run npm [1].');
  expect(await (await coming).left).toBe(true);
});

test('a question of 100 KB is asked, with tools, within the context of the model', async () => {
  model.play(textAnswer('So.'));
  expect((await site.ask(`${question} ${'many words '.repeat(9300)}`)).text).toBe('So.');
  const { messages } = model.requests.at(-1)!.body;
  expect(messages.reduce((sum, { content }) => sum + content.length, 0) / 4).toBeLessThan(8192 - 1024);
  expect(messages.at(-1)!.content).toContain(question);
});

test.each([true, false])('an answer without an end ends by length: tools %s', async (tools) => {
  await site.configure({ model: settings({ maxOutputTokens: 100 }), tools });
  const coming = model.next();
  model.play({ steps: [...Array.from({ length: 100 }, () => chunk({ content: 'a 🎉 '.repeat(20) })), 'hang'] });
  const { text, end } = await site.ask(question);
  expect(end).toBe('length by model');
  expect(text.length).toBeGreaterThan(700);
  expect(text.length).toBeLessThanOrEqual(800);
  expect(text).not.toMatch(/\p{Cs}/u);
  expect(await (await coming).left).toBe(true);
});
