import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activate, writeIndexedExport, type PlainPage } from '../../../support/indexed-export.ts';
import { temporaryFolder } from '../../storage/storages.ts';
import { collected, domain, harbour, openAssistantSite } from '../assistant-site.ts';
import type { Question } from '../../../../server/assistant/request/question.ts';
import { questionOf } from '../written-question.ts';
import { chunk, done, openModelServer, textAnswer, toolAnswer, type ModelAnswer, type ModelRequest } from '../model-server.ts';

const model = await openModelServer();
const site = await openAssistantSite(harbour);
afterAll(() => model.close());
/** The number of each passage in a prompt, in brackets, by its address. */
function numbersIn(content: string): Record<string, string> {
  const found = content.matchAll(/^<passage (\d+) [0-9a-f]+>\nFrom: .*\(\/(.*)\)$/gm);
  return Object.fromEntries([...found].map(([, number, id]) => [id!, `[${number}]`]));
}

/** An answer that cites a section by the number that the prompt gave it. */
function citing(id: string, texts: (number: string) => string[]): (request: ModelRequest) => ModelAnswer {
  return ({ body }) => textAnswer(...texts(numbersIn(body.messages.at(-1)!.content)[id]!.slice(1, -1)), '');
}

const modelSettings = (rest: object = {}) => ({ baseUrl: model.url, model: 'scripted', ...rest });

test('a model answers from the docs: a source right before the text that cites its page first, then the end', async () => {
  await site.configure({
    model: modelSettings({ apiKey: 'key-1', headers: { 'x-team': 'docs' }, temperature: 0.2, body: { top_k: 20 } }),
  });
  model.play(
    citing('guides/install#install-with-npm', (number) => ['Run ', '`npm install tidewater` ', `[${number}`, '][77', '].']),
  );
  const { events, sources, end } = await site.ask('How do I install Tidewater with npm?');
  const [source] = sources;
  expect(events).toEqual([
    { type: 'reading', passages: expect.any(Number) },
    { type: 'text', text: 'Run' },
    { type: 'text', text: ' `npm install tidewater`' },
    { type: 'source', source },
    { type: 'text', text: ' [1]' },
    { type: 'text', text: '.' },
    { type: 'end', reason: 'stop', by: 'model' },
  ]);
  expect(end).toBe('stop by model');
  expect(source).toEqual({
    number: 1,
    id: 'guides/install#install-with-npm',
    url: '/guides/install#install-with-npm',
    title: 'Install Tidewater',
    headings: ['Install with npm'],
    excerpt: 'Install the package for one project.',
    score: 1,
  });
  const { path, headers, body } = model.requests.at(-1)!;
  expect(path).toBe('/v1/chat/completions');
  expect(headers).toMatchObject({ authorization: 'Bearer key-1', 'x-team': 'docs' });
  expect(body).toMatchObject({ model: 'scripted', stream: true, temperature: 0.2, max_tokens: 1024, top_k: 20 });
  expect(body.messages[0]!.role).toBe('system');
  expect(body.messages.at(-1)!.content).toContain('npm install tidewater');
});

test('URLs are absolute when the URL of the site is known', async () => {
  await site.configure({ model: modelSettings() }, { siteUrl: 'https://docs.example.com/base/' });
  model.play(citing('guides/install#install-with-npm', (number) => [`So [${number}].`]));
  const { sources } = await site.ask('How do I install with npm?');
  expect(sources.map(({ url }) => url)).toEqual(['https://docs.example.com/base/guides/install#install-with-npm']);
});

test('without a model the docs are quoted; each citation is a source that contains the words', async () => {
  await site.configure();
  const { events, text, sources, end } = await site.ask('Which port does the server listen on?');
  expect(events.map(({ type }) => type).slice(0, 3)).toEqual(['text', 'source', 'text']);
  expect(end).toBe('stop by quotes');
  expect(text).toContain('7700');
  expect(sources[0]).toMatchObject({ number: 1, id: 'guides/configure#ports', url: '/guides/configure#ports', score: 1 });
  const cited = [...text.matchAll(/(?<!\\)\[(\d+)\]/g)].map(([, number]) => Number(number));
  expect(cited).toContain(1);
  expect(sources.map((source) => source.number)).toEqual(expect.arrayContaining(cited));
});

test('two sections of a page are one source, also when the docs are quoted', async () => {
  await site.configure({ model: modelSettings() });
  model.play((request) => {
    const numbers = numbersIn(request.body.messages.at(-1)!.content);
    return textAnswer(
      `Node ${numbers['guides/install#install-with-npm']}${numbers['guides/install']}, so ${numbers['guides/install']}.`,
    );
  });
  const byModel = await site.ask('How do I install Tidewater with npm?');
  expect(byModel.text).toBe('Node [1], so [1].');
  expect(byModel.sources.map(({ id }) => id)).toEqual(['guides/install#install-with-npm']);
  await site.configure();
  const quoted = await site.ask('How do I install Tidewater with npm and on Windows?');
  expect(quoted.sources.map(({ id }) => id.split('#')[0])).toEqual([
    ...new Set(quoted.sources.map(({ id }) => id.split('#')[0])),
  ]);
  expect(quoted.text.match(/(?<!\\)\[\d+\]/g)!.length).toBeGreaterThan(quoted.sources.length);
});

test('a question without results gets a plain text, and a model without tools is only asked for a query', async () => {
  await site.configure({ model: modelSettings(), tools: false });
  const before = model.requests.length;
  model.play(textAnswer('en: ', 'qwertyuiop zxcvbnm'));
  const { text, end, sources, events } = await site.ask('Qwertyuiop zxcvbnm asdfgh?');
  expect(events.at(-1)).toMatchObject({ type: 'end', isEmpty: true });
  expect([text, end, sources]).toEqual(['The docs do not answer this.', 'stop by quotes', []]);
  expect(model.requests.length).toBe(before + 1);
});

test('a site uses the model of the server, unless its own setting is null', async () => {
  Object.assign(site.services.options, { modelUrl: model.url, model: 'of-the-server', modelKey: 'server-key' });
  model.play(textAnswer('By the server.'));
  await site.configure();
  expect((await site.ask('How do I install with npm?')).text).toBe('By the server.');
  expect(model.requests.at(-1)).toMatchObject({
    headers: { authorization: 'Bearer server-key' },
    body: { model: 'of-the-server' },
  });
  await site.configure({ model: null });
  expect((await site.ask('How do I install with npm?')).end).toBe('stop by quotes');
  site.services.options.modelUrl = undefined;
});

test('leaving the answer, or its signal, closes the connection to the model', async () => {
  await site.configure({ model: modelSettings() });
  const waiting = { steps: [chunk({ content: 'One ' }), chunk({ content: 'two ' }), 'hang' as const] };
  model.play(waiting);
  const coming = model.next();
  const answer = (await site.assistant.answer(domain, questionOf('How do I install with npm?'), new AbortController().signal))!;
  for await (const event of answer.events) if (event.type === 'text') break;
  expect(await (await coming).left).toBe(true);

  const leaving = new AbortController();
  const next = model.next();
  const asked = site.ask('How do I install with npm?', { signal: leaving.signal });
  const request = await next;
  leaving.abort();
  expect(await request.left).toBe(true);
  expect((await asked).end).toBe('nothing');
});

test('an abort before the first word sends no request to another model', async () => {
  await site.configure({ model: modelSettings(), fallback: modelSettings({ model: 'second' }) });
  model.play({ before: ['hang'], steps: [] });
  const leaving = new AbortController();
  const next = model.next();
  const asked = site.ask('How do I install with npm?', { signal: leaving.signal });
  const request = await next;
  leaving.abort();
  expect((await asked).events.filter(({ type }) => type !== 'reading')).toEqual([]);
  expect(await request.left).toBe(true);
  expect(model.requests.at(-1)).toBe(request);
});

test('with tools the model searches and reads, and cites what it found', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  model.play(
    toolAnswer({ name: 'search', input: { query: 'LeaseLost berth' } }),
    toolAnswer({ name: 'read_page', input: { path: '/guides/windows' } }, { name: 'read_page', input: { path: '/nowhere' } }),
    (request) => {
      const found = request.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
      const numbers = found.flatMap((text) => [...text.matchAll(/<passage (\d+) /g)].map(([, number]) => `[${number}]`));
      return textAnswer(`Ask again ${numbers.join('')}[99].`);
    },
  );
  const { text, sources, end } = await site.ask('How do I install with npm?');
  expect(end).toBe('stop by model');
  expect(sources.map(({ id }) => id)).toEqual(['reference/errors#leaselost', 'guides/windows']);
  expect(text).toBe('Ask again [1][2].');
  expect(text).not.toContain('99');
  const results = model.requests.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(3);
  expect(results[2]!.content).toContain('There is no such page');
});

test('a model that only searches must answer at the fourth step', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  const before = model.requests.length;
  model.play((request) =>
    request.body.tool_choice === 'none' ? textAnswer('Enough.') : toolAnswer({ name: 'search', input: { query: 'tide' } }),
  );
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'Enough.', end: 'stop by model' });
  expect(model.requests.length - before).toBe(4);
});

test('wrong and unknown tool calls do not end the answer', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  model.play(
    toolAnswer({ name: 'shell', input: { command: 'id' } }, { name: 'search', input: { nothing: 1 } }),
    textAnswer('Fine.'),
  );
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'Fine.', end: 'stop by model' });
});

test('an answer that the model cut by length says so', async () => {
  await site.configure({ model: modelSettings() });
  model.play({ steps: [chunk({ content: 'As far as' }), chunk({}, 'length'), done] });
  expect((await site.ask('How do I install with npm?')).end).toBe('length by model');
});

test('explain returns the retrieved sections and the prompt', async () => {
  await site.configure({ model: modelSettings({ apiKey: 'key-1' }) });
  const before = model.requests.length;
  const explained = (await site.assistant.explain(domain, questionOf('How do I install with npm?')))!;
  expect(explained.retrieved[0]).toEqual({ id: 'guides/install#install-with-npm', title: 'Install Tidewater', score: 1 });
  expect(explained.prompt!.messages.at(-1)!.content).toContain('How do I install with npm?');
  expect(JSON.stringify(explained)).not.toContain('key-1');
  expect(model.requests.length).toBe(before);
  await site.configure();
  expect((await site.assistant.explain(domain, questionOf('npm?')))!.prompt).toBeUndefined();
});

test('search returns sections with their text, page returns Markdown', async () => {
  await site.configure();
  const found = (await site.assistant.search(domain, { query: 'npm', limit: 1, filter: {} }))!;
  expect(found).toEqual([
    {
      id: 'guides/install#install-with-npm',
      page: 'guides/install',
      title: 'Install Tidewater',
      headings: ['Install with npm'],
      text: 'Install the package for one project.\nnpm install tidewater',
      language: 'en',
      score: 1,
    },
  ]);
  expect(await site.assistant.search(domain, { query: 'npm', limit: 5, filter: { language: 'xx' } })).toEqual([]);
  expect(await site.assistant.page(domain, '/guides/windows/')).toMatch(/^# Windows services\n/);
  expect(await site.assistant.page(domain, '')).toMatch(/^# Tidewater\n/);
  for (const path of ['nowhere', '../carrel.json', 'carrel.json', 'constructor', '__proto__'])
    expect(await site.assistant.page(domain, path)).toBeUndefined();
});

test('search keeps to the pages with a tag, and spreads over pages', async () => {
  const many = '## One\n\nA lantern.\n\n## Two\n\nA lantern.\n\n## Three\n\nA lantern.\n';
  await site.configure(undefined, { domain: 'tags.test' });
  await site.exportPages(
    [
      { path: 'lanterns', title: 'Lanterns', markdown: many, tag: 'New' },
      { path: 'create', title: 'Create', markdown: 'Creates something like a lantern, or two of them.', tag: 'POST' },
      { path: 'list', title: 'List', markdown: 'Lists each lantern of the harbor, by its name.' },
    ],
    'tags.test',
  );
  const search = async (tag?: string, limit = 10) =>
    (await site.assistant.search('tags.test', { query: 'lantern', limit, filter: {}, tag }))!.map(({ page, tag }) => [page, tag]);
  expect(await search('post')).toEqual([['create', 'POST']]);
  expect(await search('NEW', 2)).toEqual([
    ['lanterns', 'New'],
    ['lanterns', 'New'],
  ]);
  expect(await search('other')).toEqual([]);
  const all = await search(undefined, 4);
  expect(new Set(all.map(([page]) => page))).toEqual(new Set(['lanterns', 'create', 'list']));
});

test('a model gets the instructions of the docs folder', async () => {
  const at = { domain: 'guided.test' };
  await site.configure({ model: modelSettings() }, at);
  const pages = [{ path: 'lanterns', title: 'Lanterns', markdown: 'Light a lantern with a match.' }];
  const options = { instructions: 'Answer like a sailor.\n' };
  await activate(site.services, at, await writeIndexedExport(await temporaryFolder(), pages, options));
  model.play(textAnswer('Aye.'));
  await site.ask('How do I light a lantern?', at);
  expect(model.requests.at(-1)!.body.messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining('Answer like a sailor.'),
  });
});

test('a site without an export has no answers', async () => {
  await site.configure(undefined, { domain: 'empty.test' });
  for (const name of ['empty.test', 'unknown.test']) {
    expect(await site.assistant.answer(name, questionOf('?'), new AbortController().signal)).toBeUndefined();
    expect(await site.assistant.explain(name, questionOf('?'))).toBeUndefined();
    expect(await site.assistant.search(name, { query: 'a', limit: 1, filter: {} })).toBeUndefined();
    expect(await site.assistant.page(name, '')).toBeUndefined();
  }
});

test('the docs are quoted when the key of the model was sealed with another secret', async () => {
  await site.configure({ model: modelSettings({ apiKey: 'key-1' }) });
  const { sites } = site.services;
  const { settings, ...rest } = (await sites.get(domain))!;
  const sealed = settings.assistant!.model!;
  await sites.put({
    ...rest,
    settings: {
      ...settings,
      assistant: { tools: false, model: { ...sealed, sealedKey: sealed.sealedKey!.slice(0, -8) + 'AAAAAAAA' } },
    },
  });
  const answer = (await site.assistant.answer(
    domain,
    questionOf('Which port does the server listen on?'),
    new AbortController().signal,
  ))!;
  expect((await collected(answer)).end).toBe('stop by quotes');
});

const long: PlainPage = {
  path: 'reference/keys',
  title: 'Keys',
  markdown: [
    'Keys open doors.\n',
    '## Table\n\n| Key | Meaning |\n| --- | --- |\n| `tide` | high or low |\n',
    ...Array.from(
      { length: 120 },
      (_, i) => `## Key ${i}\n\nThe key number ${i} opens the door number ${i}, and no other door of the harbour.\n`,
    ),
    '## Last\n\nThe last key is the spare one.\n',
  ].join('\n'),
};

/** What tools answered in a request, in order. */
const toolAnswers = (request: ModelRequest) =>
  request.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

test('with tools the model reads a whole page, also one whose beginning it has', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  model.play(
    toolAnswer({ name: 'read_page', input: { path: '/guides/install' } }),
    toolAnswer({ name: 'read_page', input: { path: 'guides/install#install-with-npm' } }),
    textAnswer('So.'),
  );
  await site.ask('How do I install Tidewater with npm?');
  const [first, second] = toolAnswers(model.requests.at(-1)!);
  const page = (await site.assistant.page(domain, 'guides/install'))!;
  expect(first).toContain(page.trim());
  expect(first).toContain('```bash\nnpm install tidewater\n```');
  expect(first).not.toContain('already');
  expect(second).toBe(first);
});

test('a long page comes in parts, as Markdown, under one number that can be cited', async () => {
  await site.configure({ model: modelSettings(), tools: true }, { domain: 'long.test' });
  await site.exportPages([...harbour, long], 'long.test');
  const page = (await site.assistant.page('long.test', 'reference/keys'))!;
  const before = model.requests.length;
  const next = /call read_page with this path and offset (\d+)/;
  model.play((request) => {
    const answers = toolAnswers(request);
    const last = answers.at(-1);
    const offset = last === undefined ? '0' : next.exec(last)?.[1];
    if (offset !== undefined && answers.length < 3)
      return toolAnswer({ name: 'read_page', input: { path: '/reference/keys', offset: Number(offset) } });
    return textAnswer(`Spare [${/<passage (\d+) /.exec(last!)![1]}].`);
  });
  const { text, sources, end } = await site.ask('What opens doors?', { domain: 'long.test' });
  expect([text, end, sources.map(({ id }) => id)]).toEqual(['Spare [1].', 'stop by model', ['reference/keys']]);
  const parts = toolAnswers(model.requests.at(-1)!);
  expect(model.requests.length - before).toBe(parts.length + 1);
  expect(parts.length).toBeGreaterThan(1);
  expect(new Set(parts.map((part) => /<passage (\d+) /.exec(part)![1])).size).toBe(1);
  const read = parts.map((part) => /^<passage [^]*?\nFrom: .*\n([^]*)\n<\/passage /.exec(part)![1]!.trim());
  expect(page.replace(/\s+/g, ' ')).toContain(read.join(' ').replace(/\s+/g, ' '));
  expect(read[0]).toContain('| Key | Meaning |\n| --- | --- |\n| `tide` | high or low |');
  // Half of what the model takes in beside its answer and its rules is for tools.
  expect(read[0]!.length).toBeGreaterThan(0.8 * 4 * 0.2 * 8192);
});

test('tools never add more than fits into the context of the model', async () => {
  const small = modelSettings({ contextTokens: 4096, maxOutputTokens: 512 });
  await site.configure({ model: small, tools: true }, { domain: 'small.test' });
  await site.exportPages([...harbour, long], 'small.test');
  model.play((request) =>
    request.body.tool_choice === 'none'
      ? textAnswer('So.')
      : toolAnswer(...[0, 1000, 2000, 3000].map((offset) => ({ name: 'read_page', input: { path: '/reference/keys', offset } }))),
  );
  expect((await site.ask('What opens doors?', { domain: 'small.test' })).text).toBe('So.');
  const { body } = model.requests.at(-1)!;
  const characters = body.messages.reduce((sum, { content }) => sum + (content ?? '').length, 0);
  expect(characters / 4).toBeLessThan(4096 - 512);
  expect(toolAnswers(model.requests.at(-1)!).at(-1)).toMatch(/no room/);
});

test('tools give a reason for missing pages and offsets beyond a page', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  model.play(
    toolAnswer(
      { name: 'read_page', input: { path: '/nowhere' } },
      { name: 'read_page', input: { path: '/guides/windows', offset: 100_000 } },
      { name: 'read_page', input: { path: '/guides/windows', offset: -1 } },
    ),
    textAnswer('So.'),
  );
  expect((await site.ask('How do I install with npm?')).end).toBe('stop by model');
  const [nowhere, beyond, invalid] = toolAnswers(model.requests.at(-1)!);
  expect(nowhere).toContain('There is no such page');
  expect(beyond).toMatch(/^The page has \d+ characters/);
  expect(invalid).toMatch(/offset/);
});

describe('without a model', () => {
  const many: PlainPage[] = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath'].map((name) => ({
    path: `ports/${name}/tides`,
    title: `Tides of ${name}`,
    markdown: `The tide table of ${name} lists high tide and low tide for each day.\n`,
  }));
  const hook: PlainPage = {
    path: 'ports/webhooks',
    title: 'Webhooks',
    markdown: 'A webhook reports each berth that a ship takes.\n\n```json\n{ "berth": 7, "lease": "kept" }\n```\n',
  };
  const quoting = { ask: (question: Partial<Question>) => site.ask(question, { domain: 'quoting.test' }) };
  beforeAll(async () => {
    await site.configure(undefined, { domain: 'quoting.test' });
    await site.exportPages([...harbour, ...many, hook], 'quoting.test');
  });
  const pagesOf = ({ sources }: { sources: { id: string }[] }) => sources.map(({ id }) => id.split('#')[0]);

  test.each([
    [1, 1],
    [2, 2],
    [5, 3],
    [8, 5],
    [50, 8],
  ])('at most %s pages: quotes of %s', async (pages, expected) => {
    const answer = await quoting.ask({ text: 'When is high tide in the tide table?', pages });
    expect(pagesOf(answer)).toHaveLength(expected);
    expect(answer.sources.map(({ score }) => score)).toEqual(answer.sources.map(({ score }) => score).sort((a, b) => b! - a!));
    expect(answer.sources[0]!.score).toBe(1);
    expect(answer.sources.every(({ score }) => score! > 0 && score! <= 1)).toBe(true);
  });

  test.each(['delta', 'heath'])('the current page ranks above its equals: %s', async (name) => {
    const answer = await quoting.ask({
      text: 'When is high tide in the tide table?',
      pages: 1,
      currentPath: `ports/${name}/tides`,
    });
    expect(pagesOf(answer)).toEqual([`ports/${name}/tides`]);
  });

  test.each(['What is this page about?', 'What does this page say?'])('%s is answered from the current page', async (text) => {
    const answer = await quoting.ask({ text, currentPath: 'ports/webhooks' });
    expect(pagesOf(answer)).toEqual(['ports/webhooks']);
    expect(answer.text).toContain('A webhook reports each berth');
  });

  test('the selection says what "this" is', async () => {
    const text = 'What does this mean?';
    const context = [{ type: 'code' as const, value: '{ "berth": 7, "lease": "kept" }', path: '/ports/webhooks' }];
    const answer = await quoting.ask({ text, context });
    expect(pagesOf(answer)).toContain('ports/webhooks');
    expect(pagesOf(await quoting.ask({ text }))).not.toContain('ports/webhooks');
  });
});

test.each([
  ['in one piece', (type: string) => ({ 'content-type': type }), ['application/json']],
  ['with a charset', (type: string) => ({ 'content-type': type }), ['application/json; charset=utf-8']],
])('a whole completion instead of a stream is read: %s', async (_, headers, [type]) => {
  await site.configure({ model: modelSettings() });
  const message = { role: 'assistant', content: '<think>npm…</think>Run npm [1].' };
  const completion = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'length' }] };
  model.play({ headers: headers(type!), steps: [JSON.stringify(completion)] });
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'Run npm [1].', end: 'length by model' });
});

test('a model that does not stream may call tools', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  const call = { id: 'call_1', type: 'function', function: { name: 'read_page', arguments: '{"path":"/guides/windows"}' } };
  const whole = (message: object, finish_reason: string): ModelAnswer => ({
    headers: { 'content-type': 'application/json' },
    steps: [JSON.stringify({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] })],
  });
  model.play(
    whole({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'),
    whole({ role: 'assistant', content: 'So.' }, 'stop'),
  );
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'So.', end: 'stop by model' });
  expect(toolAnswers(model.requests.at(-1)!).join()).toContain('a service keeps Tidewater running');
});

test.each<[string, string, string]>([
  ['is not JSON', 'not json', 'ModelBroken'],
  ['is no completion', '{"ok":true}', 'Model'],
  ['has no choices', '{"choices":[]}', 'Model'],
  ['is an error', '{"error":{"message":"CUDA secret"}}', 'ModelBroken'],
  ['is empty', '', 'Model'],
])('JSON that %s is a failure, whose code is in the end event', async (_, body, kind) => {
  await site.configure({ model: modelSettings() });
  model.play({ headers: { 'content-type': 'application/json' }, steps: [body] });
  const { text, events } = await site.ask('How do I install with npm?');
  expect(text).toContain('npm install tidewater');
  expect(events.at(-1)).toEqual({
    type: 'end',
    reason: 'stop',
    by: 'quotes',
    why: expect.stringMatching(new RegExp(`^${kind}`)),
  });
  expect(JSON.stringify(events)).not.toContain('secret');
});

test.each([
  ['zh-TW', '沒有 `zh-TW` 的文件可供回答。 有以下文件：`en`。'],
  ['zh-HK', '沒有 `zh-HK` 的文件可供回答。 有以下文件：`en`。'],
  ['zh-Hant', '沒有 `zh-Hant` 的文件可供回答。 有以下文件：`en`。'],
  ['zh-CN', '没有 `zh-CN` 的文档可供回答。 有以下文档：`en`。'],
])('a question for docs in %s is answered in that language', async (language, text) => {
  expect(await site.ask({ text: 'How do I install it?', filter: { language } })).toMatchObject({ text, end: 'stop by quotes' });
});
