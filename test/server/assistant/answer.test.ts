import { afterAll, beforeAll, expect, test } from 'vitest';
import { collected, domain, harbour, openAssistantSite, type AssistantSite } from './assistant-site.ts';
import { questionOf } from './written-question.ts';
import { chunk, done, openModelServer, textAnswer, toolAnswer, type ModelServer } from './model-server.ts';

let model: ModelServer;
let site: AssistantSite;
beforeAll(async () => {
  model = await openModelServer();
  site = await openAssistantSite(harbour);
});
afterAll(() => model.close());
const modelSettings = (rest: object = {}) => ({ baseUrl: model.url, model: 'scripted', ...rest });

test('a model answers from the docs: sources first, then text, then the end', async () => {
  await site.configure({
    model: modelSettings({ apiKey: 'key-1', headers: { 'x-team': 'docs' }, temperature: 0.2, body: { top_k: 20 } }),
  });
  model.play(textAnswer('Run ', '`npm install tidewater` ', '[1', '][7', '].'));
  const { events, sources, end } = await site.ask('How do I install Tidewater with npm?');
  expect(events[0]!.type).toBe('sources');
  expect(events.slice(1)).toEqual([
    { type: 'text', text: 'Run' },
    { type: 'text', text: ' `npm install tidewater`' },
    { type: 'text', text: ' [1]' },
    { type: 'text', text: '.' },
    { type: 'end', reason: 'stop', by: 'model' },
  ]);
  expect(end).toBe('stop by model');
  expect(sources.find(({ id }) => id === 'guides/install#install-with-npm')).toMatchObject({
    url: '/guides/install#install-with-npm',
    title: 'Install Tidewater',
    headings: ['Install with npm'],
    excerpt: 'Install the package for one project.',
    score: 1,
  });
  expect(sources.map(({ number }) => number)).toEqual(sources.map((_, i) => i + 1));
  const { path, headers, body } = model.requests.at(-1)!;
  expect(path).toBe('/v1/chat/completions');
  expect(headers).toMatchObject({ authorization: 'Bearer key-1', 'x-team': 'docs' });
  expect(body).toMatchObject({ model: 'scripted', stream: true, temperature: 0.2, max_tokens: 1024, top_k: 20 });
  expect(body.messages[0]!.role).toBe('system');
  expect(body.messages.at(-1)!.content).toContain('npm install tidewater');
});

test('addresses are absolute where the address of the site is known', async () => {
  await site.configure({ model: modelSettings() }, { siteUrl: 'https://docs.example.com/base/' });
  model.play(textAnswer('So.'));
  const { sources } = await site.ask('How do I install with npm?');
  expect(sources.map(({ url }) => url)).toContain('https://docs.example.com/base/guides/install#install-with-npm');
});

test('without a model the docs are quoted; each citation is a source, whose place holds the words', async () => {
  await site.configure();
  const { events, text, sources, end } = await site.ask('Which port does the server listen on?');
  expect(events.map(({ type }) => type)).toEqual(['sources', 'text', 'end']);
  expect(end).toBe('stop by quotes');
  expect(text).toContain('7700');
  expect(sources[0]).toMatchObject({ number: 1, id: 'guides/configure#ports', url: '/guides/configure#ports', score: 1 });
  const cited = [...text.matchAll(/(?<!\\)\[(\d+)\]/g)].map(([, number]) => Number(number));
  expect(cited).toContain(1);
  expect(sources.map((source) => source.number)).toEqual(expect.arrayContaining(cited));
});

test('what the docs do not answer is said plainly, and no model is asked when nothing was found', async () => {
  await site.configure({ model: modelSettings() });
  const before = model.requests.length;
  const { text, end } = await site.ask('Qwertyuiop zxcvbnm asdfgh?');
  expect(text).toContain('The docs do not answer this.');
  expect(end).toBe('stop by quotes');
  expect(model.requests.length).toBe(before);
});

test('null takes the model of the server away from a site; without settings it answers', async () => {
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
  for await (const event of answer) if (event.type === 'text') break;
  expect(await (await coming).left).toBe(true);

  const leaving = new AbortController();
  const next = model.next();
  const asked = site.ask('How do I install with npm?', { signal: leaving.signal });
  const request = await next;
  leaving.abort();
  expect(await request.left).toBe(true);
  expect((await asked).end).toBe('nothing');
});

test('an abort before the first word asks nobody else', async () => {
  await site.configure({ model: modelSettings(), fallback: modelSettings({ model: 'second' }) });
  model.play({ before: ['hang'], steps: [] });
  const leaving = new AbortController();
  const next = model.next();
  const asked = site.ask('How do I install with npm?', { signal: leaving.signal });
  const request = await next;
  leaving.abort();
  expect((await asked).events).toEqual([]);
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
  const cited = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => sources[Number(number) - 1]!.id);
  expect(cited).toContain('reference/errors#leaselost');
  expect(cited).toContain('guides/windows');
  expect(text).not.toContain('99');
  const results = model.requests.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(3);
  expect(results[2]!.content).toContain('There is no such page');
});

test('a model that only searches is asked for an answer at the fourth step', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  const before = model.requests.length;
  model.play((request) =>
    request.body.tool_choice === 'none' ? textAnswer('Enough.') : toolAnswer({ name: 'search', input: { query: 'tide' } }),
  );
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'Enough.', end: 'stop by model' });
  expect(model.requests.length - before).toBe(4);
});

test('wrong and unknown calls of tools do not end the answer', async () => {
  await site.configure({ model: modelSettings(), tools: true });
  model.play(
    toolAnswer({ name: 'shell', input: { command: 'id' } }, { name: 'search', input: { nothing: 1 } }),
    textAnswer('Fine.'),
  );
  expect(await site.ask('How do I install with npm?')).toMatchObject({ text: 'Fine.', end: 'stop by model' });
});

test('the length of an answer that was cut is told', async () => {
  await site.configure({ model: modelSettings() });
  model.play({ steps: [chunk({ content: 'As far as' }), chunk({}, 'length'), done] });
  expect((await site.ask('How do I install with npm?')).end).toBe('length by model');
});

test('explain tells what was retrieved and what a model would be sent', async () => {
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

test('search gives sections with their text, page gives Markdown', async () => {
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

test('a site without an export has nothing to answer from', async () => {
  await site.configure(undefined, { domain: 'empty.test' });
  for (const name of ['empty.test', 'unknown.test']) {
    expect(await site.assistant.answer(name, questionOf('?'), new AbortController().signal)).toBeUndefined();
    expect(await site.assistant.explain(name, questionOf('?'))).toBeUndefined();
    expect(await site.assistant.search(name, { query: 'a', limit: 1, filter: {} })).toBeUndefined();
    expect(await site.assistant.page(name, '')).toBeUndefined();
  }
});

test('a key that was sealed with another secret makes the assistant quote', async () => {
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
