// The hook of each build, in a page, against the live endpoint.
import { describe, expect, test } from 'vitest';
import { gate } from '../../../support/gate.ts';
import { hooks } from './builds.ts';
import { openChat } from './chat.ts';
import { openChat4 } from './chat-4.ts';
import { answer, openEndpoint } from './endpoint.ts';
import { openParts, sourcesOf, textOf, threadOf } from './exchange.ts';
import { chunk, textAnswer } from '../model-server.ts';

const endpoint = await openEndpoint();
const { v1, v2, model } = endpoint;
const hurried = await openEndpoint({ questionsPerMinute: 1 });
const body = { fp: 'reader-1' };
const source = '/guides/install#install-with-npm';

describe.each(hooks)('useChat of $name', (build) => {
  const open = (headers: Record<string, string> = endpoint.headers, id?: string) =>
    openChat(build, { api: v2, headers, body, id });

  test('asks twice in one thread', async () => {
    model.play(textAnswer(answer));
    const chat = await open();
    await chat.ask('How do I install it with npm?');
    const { status, error, messages } = await chat.ask('And in a container?');
    expect([status, error]).toEqual(['ready', undefined]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const [, first, , second] = messages;
    for (const message of [first, second]) {
      expect([textOf(message), openParts(message)]).toEqual([answer, []]);
      expect(sourcesOf(message).join()).toContain('/guides/install');
      expect(threadOf(message)).toBe(chat.thread());
    }
    expect(sourcesOf(first)).toEqual([source]);
    expect(chat.finished.map(({ isAbort }) => isAbort)).toEqual([false, false]);
    expect(await endpoint.questionsIn(chat.thread()!)).toBe(2);
    chat.close();
  });

  test('stop() ends the call to the model, and the next question keeps the thread', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'hang'] }, textAnswer(answer));
    const chat = await open();
    const asked = model.next();
    void chat.now().sendMessage({ text: 'How do I install it with npm?' });
    const { messages } = await chat.until(({ messages }) => textOf(messages[1]).includes('it'));
    await chat.now().stop();
    expect(await (await asked).left).toBe(true);
    expect((await chat.until(({ status }) => status !== 'streaming')).status).toBe('ready');
    const after = await chat.ask('And then?');
    expect([after.status, textOf(after.messages.at(-1))]).toEqual(['ready', answer]);
    expect(threadOf(after.messages.at(-1))).toBe(threadOf(messages.at(-1)));
    chat.close();
  });

  test('a model that fails midway ends in a readable error, and text and thread stay', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'cut'] }, textAnswer(answer));
    const chat = await open();
    const { status, error, messages } = await chat.ask('How do I install it with npm?');
    expect(status).toBe('error');
    expect(error!.message).toMatch(/^[A-Z][^{}]*\.$/);
    expect(textOf(messages.at(-1)).trim()).toBe('Install it');
    const thread = threadOf(messages.at(-1));
    expect(thread).toMatch(/^\w{26}$/);
    const after = await chat.ask('And now?');
    expect([after.status, threadOf(after.messages.at(-1))]).toEqual(['ready', thread]);
    chat.close();
  });

  test('a refusal is shown with its message', async () => {
    const chat = await open({ ...endpoint.headers, authorization: 'Bearer svc_dsc_unknown' });
    const { status, error } = await chat.ask('How?');
    expect([status, error!.message]).toEqual(['error', expect.stringMatching(/"error":"[A-Z][^"]*\."/)]);
    chat.close();
  });

  test('a page that is opened again takes up the running answer, and is content when there is none', async () => {
    const more = gate();
    model.play({ steps: [chunk({ content: 'Install ' }), { until: more.opened }, ...textAnswer(answer).steps] });
    const headers = { ...endpoint.headers, 'x-carrel-fp': body.fp };
    const id = `page of ${build.name}`;
    const first = await open(headers, id);
    void first.now().sendMessage({ text: 'How do I install it with npm?' });
    await first.until(({ messages }) => textOf(messages.at(-1)).startsWith('Install'));
    const second = await open(headers, id);
    void second.now().resumeStream();
    await second.until(({ messages }) => textOf(messages.at(-1)).startsWith('Install'));
    more.open();
    const ended = await second.until(({ status }) => status === 'ready');
    const original = await first.until(({ status }) => status === 'ready');
    expect(textOf(ended.messages.at(-1))).toBe(textOf(original.messages.at(-1)));
    const none = await open(headers, 'nobody');
    await none.now().resumeStream();
    expect([none.now().status, none.now().error]).toEqual(['ready', undefined]);
    for (const chat of [first, second, none]) chat.close();
  });
});

test.each(hooks)('useChat of $name shows why a reader asks too often', async (build) => {
  model.play(textAnswer(answer));
  const { v2: api, headers } = hurried;
  const chat = await openChat(build, { api, headers, body: { fp: build.name } });
  expect((await chat.ask('How do I install it with npm?')).status).toBe('ready');
  const { status, error } = await chat.ask('And in a container?');
  expect(status).toBe('error');
  expect(error!.message).toMatch(/"error":"[A-Z][^"]*\."/);
  expect(error!.message).toContain('"code":"TooManyRequests"');
  chat.close();
});

describe('useChat of ai 4.3.19 on version 1', () => {
  const open = (headers = endpoint.headers) => openChat4({ api: v1, headers });

  test('asks twice in one thread', async () => {
    model.play(textAnswer(answer));
    const chat = await open();
    const first = await chat.ask('How do I install it with npm?');
    expect(first).toMatchObject({ status: 'ready', error: undefined, text: answer, thread: expect.stringMatching(/^\w{26}$/) });
    expect(first.sources).toEqual([source]);
    const second = await chat.ask('And in a container?');
    expect(second).toMatchObject({ status: 'ready', error: undefined, text: answer, thread: first.thread });
    expect(await endpoint.questionsIn(first.thread!)).toBe(2);
    chat.close();
  });

  test('stop() ends the call to the model', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'hang'] });
    const chat = await open();
    const asked = model.next();
    chat.send('How do I install it with npm?');
    await chat.until(({ text }) => text.includes('it'));
    chat.stop();
    expect(await (await asked).left).toBe(true);
    expect((await chat.until(({ status }) => status === 'ready')).error).toBe(undefined);
    chat.close();
  });

  test('a model that fails midway ends in a readable error, and text and thread stay', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'cut'] });
    const chat = await open();
    const shown = await chat.ask('How do I install it with npm?');
    expect(shown).toMatchObject({
      status: 'error',
      error: expect.stringMatching(/^[A-Z][^{}]*\.$/),
      text: expect.stringMatching(/^Install it\s*$/),
      thread: expect.stringMatching(/^\w{26}$/),
    });
    chat.close();
  });

  test('a refusal is shown with its message', async () => {
    const chat = await open({ authorization: 'Bearer svc_dsc_unknown' });
    expect((await chat.ask('How?')).error).toMatch(/"error":"[A-Z][^"]*\."/);
    chat.close();
  });
});
