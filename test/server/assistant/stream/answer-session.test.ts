import { expect, test } from 'vitest';
import type { AnswerEvent } from '../../../../server/assistant/answer/answer-event.ts';
import {
  AnswerSession,
  createAnswerSessions,
  type AnswerSessionsOptions,
  type SessionOptions,
} from '../../../../server/assistant/stream/answer-session.ts';
import type { AnswerRecord } from '../../../../server/assistant/threads/threads.ts';
import { createLog } from '../../../../server/platform/log.ts';
import { createMetrics } from '../../../../server/platform/metrics.ts';

const text = (text: string): AnswerEvent => ({ type: 'text', text });
const end: AnswerEvent = { type: 'end', reason: 'stop', by: 'model' };
const cutOff = { type: 'failed', message: 'The answer was cut off. Ask again.' };

/** Answers that are made on demand, and what became of them. */
function setUp({ longest, ...options }: Partial<AnswerSessionsOptions> & { longest?: number } = {}) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const sessions = createAnswerSessions({ now, ...options });
  const records: Pick<AnswerRecord, 'text' | 'ended' | 'writtenBy'>[] = [];
  const threads = {
    answered: async (_: string, { text, ended, writtenBy }: AnswerRecord) => void records.push({ text, ended, writtenBy }),
  };
  const parts = { threads, sessions, log: createLog('silent'), metrics: createMetrics(), now };
  const begin = (
    events: (signal: AbortSignal) => AsyncIterable<AnswerEvent>,
    { slots = ['slot'], messageId = 'msg_1' }: Partial<SessionOptions> = {},
  ) => {
    const aborting = new AbortController();
    const { signal } = aborting;
    const session = new AnswerSession(
      parts,
      { events: events(signal), aborting, domain: 'docs.test', messageId, threadId: 'th_1', slots, language: 'en' },
      longest,
    );
    sessions.add(session);
    return { session, signal };
  };
  return { sessions, clock, records, begin, threads };
}

/** Events that are made on demand, with what has been made of them. */
function made(events: AnswerEvent[]) {
  const state = { count: 0, isClosed: false };
  const source = async function* () {
    try {
      for (const event of events) {
        state.count++;
        yield event;
      }
    } finally {
      state.isClosed = true;
    }
  };
  return { source, state };
}

async function* until(signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  yield text('a');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

async function gathered(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const read = (session: AnswerSession) => gathered(session.follow().events);

test('an answer is made no faster than it is read', async () => {
  const { source, state } = made([text('a'), text('b'), end]);
  const reading = setUp().begin(source).session.follow().events[Symbol.asyncIterator]();
  expect(state.count).toBe(0);
  expect(await reading.next()).toEqual({ value: text('a'), done: false });
  expect(state.count).toBe(1);
});

test('two readers get the same events from the beginning, in whichever order they read', async () => {
  const events = [text('a'), text('b'), text('c'), end];
  const { source, state } = made(events);
  const { begin, records } = setUp();
  const { session, signal } = begin(source);
  const first = session.follow().events[Symbol.asyncIterator]();
  await first.next();
  await first.next();
  expect(await read(session)).toEqual(events);
  expect((await first.next()).value).toEqual(text('c'));
  expect((await first.next()).value).toEqual(end);
  expect((await first.next()).done).toBe(true);
  expect([state.count, state.isClosed, signal.aborted]).toEqual([4, true, false]);
  expect(records).toEqual([{ text: 'abc', ended: 'stop', writtenBy: 'model' }]);
});

test('an answer is aborted and forgotten when its last reader leaves, not before', async () => {
  const { source, state } = made([text('a'), text('b'), end]);
  const { begin, sessions, records } = setUp();
  const { session, signal } = begin(source);
  const [one, two] = [session.follow(), session.follow()];
  await one.events[Symbol.asyncIterator]().next();
  one.leave();
  one.leave();
  expect(signal.aborted).toBe(false);
  expect(sessions.find('slot')).toBeDefined();
  two.leave();
  expect(signal.aborted).toBe(true);
  expect(sessions.find('slot')).toBeUndefined();
  await expect.poll(() => state.isClosed).toBe(true);
  expect(records).toEqual([{ text: 'a', ended: 'left', writtenBy: null }]);
});

test('an answer that no one has begun to read is neither made nor recorded', async () => {
  const { source, state } = made([end]);
  const { begin, records, sessions } = setUp();
  const { session, signal } = begin(source);
  session.follow().leave();
  expect(signal.aborted).toBe(true);
  await sessions.close(0);
  expect([state.count, records]).toEqual([0, []]);
});

test('a reader that leaves while it waits for an event aborts the answer at once', async () => {
  const { begin, records } = setUp();
  const { session, signal } = begin(until, { slots: [] });
  const { events, leave } = session.follow();
  const reading = events[Symbol.asyncIterator]();
  await reading.next();
  const waiting = reading.next();
  leave();
  expect(signal.aborted).toBe(true);
  expect((await waiting).done).toBe(true);
  expect(records).toEqual([{ text: 'a', ended: 'left', writtenBy: null }]);
});

test('an answer is found for a while after its end', async () => {
  const { sessions, clock, begin } = setUp({ kept: 100 });
  await read(begin(made([text('a'), end]).source).session);
  clock.now = 99;
  expect(await read(sessions.find('slot')!)).toEqual([text('a'), end]);
  clock.now = 100;
  expect(sessions.find('slot')).toBeUndefined();
});

test('the oldest answers that have ended are forgotten when there are too many', async () => {
  const { sessions, begin } = setUp({ most: 2 });
  for (const slot of ['a', 'b', 'c']) await read(begin(made([end]).source, { slots: [slot], messageId: slot }).session);
  expect(['a', 'b', 'c'].map((slot) => sessions.find(slot)?.messageId)).toEqual([undefined, 'b', 'c']);
});

test('a later answer takes the slot of an earlier one, whose end does not free it', async () => {
  const { sessions, begin } = setUp();
  const earlier = begin(made([end]).source).session;
  begin(made([end]).source, { messageId: 'later' });
  await read(earlier);
  expect(sessions.find('slot')!.messageId).toBe('later');
});

test('an answer that is too long is not found, and what all its readers have read is not stored', async () => {
  const events = [...Array.from({ length: 50 }, (_, number) => text(`${number}`.padEnd(10))), end];
  const { sessions, begin } = setUp({ longest: 100 });
  const { session } = begin(made(events).source);
  const [one, two] = [session.follow(), session.follow()].map(({ events }) => events[Symbol.asyncIterator]());
  const first = [];
  for (let number = 0; number < 30; number++) first.push((await one!.next()).value);
  expect(first).toEqual(events.slice(0, 30));
  expect(sessions.find('slot')).toBeUndefined();
  expect(await gathered({ [Symbol.asyncIterator]: () => two! })).toEqual(events);
  expect(await gathered({ [Symbol.asyncIterator]: () => one! })).toEqual(events.slice(30));
});

test('what is thrown is an event for the reader, without anything from inside', async () => {
  const { begin, records } = setUp();
  const { session } = begin(async function* () {
    yield text('a');
    throw new Error('broken');
  });
  expect(await read(session)).toEqual([text('a'), { ...cutOff, code: 'AnswerFailed' }]);
  const silent = begin(() => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) }));
  expect(await read(silent.session)).toEqual([{ type: 'failed', code: 'AnswerFailed', message: expect.any(String) }]);
  expect(records.map(({ ended }) => ended)).toEqual(['error', 'error']);
});

test('an answer that stops without an end is recorded as such', async () => {
  const { begin, records } = setUp();
  expect(await read(begin(made([text('a')]).source).session)).toEqual([text('a')]);
  expect(records).toEqual([{ text: 'a', ended: 'other', writtenBy: null }]);
});

test('a stopping server ends the answers that run, and tells their readers', async () => {
  const { begin, sessions, records } = setUp();
  const { session, signal } = begin(until);
  const reading = read(session);
  await expect.poll(() => session.follow().events[Symbol.asyncIterator]().next()).toMatchObject({ value: text('a') });
  await sessions.close(10);
  expect(signal.aborted).toBe(true);
  expect(await reading).toEqual([text('a'), { ...cutOff, code: 'ServerStopping' }]);
  expect(records.map(({ ended }) => ended)).toEqual(['error']);
});

test('an answer that cannot be recorded is answered all the same', async () => {
  const { begin, threads } = setUp();
  threads.answered = () => Promise.reject(new Error('no database'));
  expect(await read(begin(made([text('a'), end]).source).session)).toEqual([text('a'), end]);
});
