// Each build's transport against the live endpoint.
import { describe, expect, test } from 'vitest';
import { gate } from '../../../support/gate.ts';
import { builds, type UiMessage } from './builds.ts';
import { answer, openEndpoint } from './endpoint.ts';
import { exchange, openParts, reconnect, sourcesOf, textOf, threadOf, userMessage } from './exchange.ts';
import { chunk, textAnswer } from '../model-server.ts';

const endpoint = await openEndpoint();
const { v2, model } = endpoint;
const question = userMessage('How do I install it with npm?', 'u1');

describe.each(builds)('$name', (build) => {
  const send = (
    messages: UiMessage[],
    { headers = endpoint.headers, ...more }: { headers?: Record<string, string>; threadId?: string } = {},
  ) => exchange(build, { api: v2, headers, body: { fp: 'reader-1', ...more }, messages });

  test('asks twice in one thread, and reads text and sources whole', async () => {
    model.play(textAnswer(answer));
    const first = await send([question]);
    const second = await send([question, first.message!, userMessage('And in a container?', 'u2')], {
      threadId: threadOf(first.message),
    });
    for (const { chunks, message, errors } of [first, second]) {
      expect(errors).toEqual([]);
      expect(textOf(message)).toBe(answer);
      const asked = message === first.message ? 'npm' : 'a-container';
      expect(sourcesOf(message)).toEqual([`/guides/install#install-with-${asked}`]);
      expect(openParts(message)).toEqual([]);
      expect(chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { threadId: threadOf(message) } });
      expect(chunks.at(-1)).not.toHaveProperty('threadId');
    }
    expect(threadOf(first.message)).toMatch(/^\w{26}$/);
    expect(threadOf(second.message)).toBe(threadOf(first.message));
    expect(await endpoint.questionsIn(threadOf(first.message)!)).toBe(2);
    expect(
      model.requests
        .at(-1)!
        .body.messages.map(({ content }) => content)
        .join('\n'),
    ).toContain('Install it with `npm install tidewater`.');
  });

  test('reads sources between pieces of text, one for each page, where they are cited', async () => {
    model.play(({ body }) => {
      const { content } = body.messages.at(-1)!;
      const number = (id: string) => new RegExp(`<passage (\\d+) [0-9a-f]+>\\nFrom: .*\\(/${id}\\)`).exec(content)![1];
      const [npm, lead, tide] = ['guides/install#install-with-npm', 'guides/install', 'guides/configure'].map(number);
      return textAnswer(
        'Install it ',
        `[${npm}], `,
        'needs Node ',
        `[${lead}]. `,
        'The tide ',
        `[${tide}] `,
        'is high ',
        `[${tide}][77].`,
      );
    });
    const { chunks, errors, message } = await send([userMessage('Install with npm, the setting tide', 'u1')]);
    expect([errors, openParts(message)]).toEqual([[], []]);
    const between = chunks
      .filter(({ type }) => type === 'text-delta' || type === 'source-url')
      .map(({ delta, url }) => delta ?? url);
    expect(between).toEqual([
      'Install it',
      '/guides/install#install-with-npm',
      ' [1],',
      ' needs Node',
      ' [1].',
      ' The tide',
      '/guides/configure',
      ' [2]',
      ' is high',
      ' [2].',
    ]);
    expect(textOf(message)).toBe('Install it [1], needs Node [1]. The tide [2] is high [2].');
    expect(sourcesOf(message)).toEqual(['/guides/install#install-with-npm', '/guides/configure']);
  });

  test('has no sources where the answer cites none', async () => {
    model.play(textAnswer('The documentation does not answer this.'));
    const { errors, message } = await send([question]);
    expect([errors, textOf(message), sourcesOf(message)]).toEqual([[], 'The documentation does not answer this.', []]);
  });

  test('keeps the thread that only its echoed answer names', async () => {
    model.play(textAnswer(answer));
    const first = await send([question]);
    const second = await send([question, first.message!, userMessage('And then?', 'u2')]);
    expect([second.errors, threadOf(second.message)]).toEqual([[], threadOf(first.message)]);
  });

  test('reads the full form, when the server always sends it, as its release does', async () => {
    model.play(textAnswer(answer));
    Object.assign(endpoint.server.services.options, { finishThread: 'always' });
    const { chunks, errors, message } = await send([question]).finally(() =>
      Object.assign(endpoint.server.services.options, { finishThread: 'auto' }),
    );
    expect([textOf(message), threadOf(message)]).toEqual([answer, expect.any(String)]);
    const isRefused = errors.join().includes('unrecognized_keys');
    expect(build.isStrict ? isRefused : [errors, chunks.at(-1)!.threadId]).toEqual(build.isStrict || [[], threadOf(message)]);
  });

  test('a model that fails midway leaves text and thread, and a readable message', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'cut'] });
    const { chunks, errors, message } = await send([question]);
    expect(errors).toEqual([expect.stringMatching(/[A-Z][^]*\.$/)]);
    expect(errors.join()).not.toMatch(/127\.0\.0\.1|terminated|ECONN|AI_|\bat /);
    expect(textOf(message).trim()).toBe('Install it');
    expect([openParts(message), threadOf(message)]).toEqual([[], expect.any(String)]);
    expect(chunks.slice(-4).map(({ type }) => type)).toEqual(['text-end', 'error', 'finish-step', 'finish']);
  });

  test('leaving ends the call to the model', async () => {
    model.play({ steps: [chunk({ content: 'Install ' }), chunk({ content: 'it ' }), 'hang'] });
    const leaving = new AbortController();
    const asked = model.next();
    await exchange(build, {
      api: v2,
      headers: endpoint.headers,
      body: { fp: 'reader-1' },
      messages: [question],
      signal: leaving.signal,
      onChunk({ type }) {
        if (type !== 'text-delta') return;
        leaving.abort();
      },
    });
    expect(await (await asked).left).toBe(true);
  });

  test('an unknown key is refused with a readable message', async () => {
    const headers = { authorization: 'Bearer svc_dsc_unknown' };
    const { errors } = await exchange(build, { api: v2, headers, body: { fp: 'reader-1' }, messages: [question] });
    const refused = JSON.parse(/\{.*\}/.exec(errors.join())![0]) as { error: string; code: string; requestId: string };
    expect(refused).toEqual({
      error: expect.stringMatching(/^[A-Z].*\.$/),
      code: expect.any(String),
      requestId: expect.stringMatching(/^req_/),
    });
  });

  test('a thread of another reader is refused with a readable message', async () => {
    const { errors } = await send([question], { threadId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    expect(errors.join()).toMatch(/"error":"[A-Z][^"]*thread/i);
  });

  test('resumes nothing when no answer is running', async () => {
    expect(
      await reconnect(build, 'chat-of-nobody', { api: v2, headers: { ...endpoint.headers, 'x-carrel-fp': 'reader-1' } }),
    ).toBe(undefined);
  });

  test('resumes a running answer from its start', async () => {
    const more = gate();
    model.play({ steps: [chunk({ content: 'Install ' }), { until: more.opened }, ...textAnswer(answer).steps] });
    const headers = { ...endpoint.headers, 'x-carrel-fp': 'reader-1' };
    const begun = gate();
    const chatId = `chat ${build.name}`;
    const body = { fp: 'reader-1' };
    const onChunk = ({ type }: { type: string }) => type === 'text-delta' && begun.open();
    const original = exchange(build, { api: v2, headers, body, messages: [question], chatId, onChunk });
    await begun.opened;
    const again = reconnect(build, chatId, { api: v2, headers, onChunk: ({ type }) => type === 'text-delta' && more.open() });
    const [one, other] = [await original, (await again)!];
    expect(other.errors).toEqual([]);
    expect(textOf(other.message)).toBe(textOf(one.message));
    expect(other.chunks.filter(({ type }) => type === 'start')).toHaveLength(1);
    expect(threadOf(other.message)).toBe(threadOf(one.message));
    const late = await reconnect(build, chatId, { api: v2, headers });
    expect([textOf(late?.message), late?.errors]).toEqual([textOf(one.message), []]);
  });
});
