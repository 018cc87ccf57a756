import { expect, test } from 'vitest';
import type { AnswerEvent } from '../../../../server/assistant/answer/answer-events.ts';
import { createReplays, type ReplaysOptions, type SharedAnswer } from '../../../../server/assistant/stream/replay.ts';

const text = (text: string): AnswerEvent => ({ type: 'text', text });
const end: AnswerEvent = { type: 'end', reason: 'stop', by: 'model' };

/** An answer that is made on demand, and tells what became of it. */
function open(events: AnswerEvent[], options: Partial<ReplaysOptions> & { slots?: string[] } = {}) {
  const clock = { now: 0 };
  const replays = createReplays({ now: () => clock.now, ...options });
  const told = { made: 0, aborted: 0, closed: false };
  const source = (async function* () {
    try {
      for (const event of events) {
        told.made++;
        yield event;
      }
    } finally {
      told.closed = true;
    }
  })();
  const begin = (slots = options.slots ?? ['slot']) =>
    replays.share(source, { slots, messageId: 'msg_1', threadId: 'th_1', abort: () => told.aborted++ });
  return { replays, clock, told, begin };
}

async function gathered(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

async function all(answer: SharedAnswer): Promise<AnswerEvent[]> {
  return gathered(answer.follow().events);
}

test('an answer is made no faster than it is read', async () => {
  const { told, begin } = open([text('a'), text('b'), end]);
  const reading = begin().follow().events[Symbol.asyncIterator]();
  expect(told.made).toBe(0);
  expect(await reading.next()).toEqual({ value: text('a'), done: false });
  expect(told.made).toBe(1);
});

test('two readers get the same, from the beginning, whoever is first', async () => {
  const events = [text('a'), text('b'), text('c'), end];
  const { told, begin } = open(events);
  const answer = begin();
  const first = answer.follow().events[Symbol.asyncIterator]();
  await first.next();
  await first.next();
  expect(await all(answer)).toEqual(events);
  expect((await first.next()).value).toEqual(text('c'));
  expect((await first.next()).value).toEqual(end);
  expect((await first.next()).done).toBe(true);
  expect(told).toEqual({ made: 4, aborted: 0, closed: true });
});

test('an answer that everybody left is aborted and forgotten; one of two may leave', async () => {
  const { replays, told, begin } = open([text('a'), text('b'), end]);
  const answer = begin();
  const [one, two] = [answer.follow(), answer.follow()];
  await one.events[Symbol.asyncIterator]().next();
  one.leave();
  one.leave();
  expect(told.aborted).toBe(0);
  expect(replays.find('slot')).toBeDefined();
  two.leave();
  expect(told.aborted).toBe(1);
  expect(replays.find('slot')).toBeUndefined();
  await Promise.resolve();
  expect(told.closed).toBe(true);
});

test('leaving while an event is awaited aborts at once', async () => {
  const replays = createReplays({ now: () => 0 });
  const aborting = new AbortController();
  const source = (async function* (): AsyncGenerator<AnswerEvent> {
    await new Promise((resolve) => aborting.signal.addEventListener('abort', resolve));
  })();
  const answer = replays.share(source, { slots: [], messageId: 'm', threadId: 't', abort: () => aborting.abort() });
  const { events, leave } = answer.follow();
  const waiting = events[Symbol.asyncIterator]().next();
  leave();
  expect(aborting.signal.aborted).toBe(true);
  expect((await waiting).done).toBe(true);
});

test('an ended answer is found for a while', async () => {
  const { replays, clock, begin } = open([text('a'), end], { kept: 100 });
  await all(begin());
  clock.now = 99;
  expect(await all(replays.find('slot')!.answer)).toEqual([text('a'), end]);
  clock.now = 100;
  expect(replays.find('slot')).toBeUndefined();
});

test('only so many ended answers are kept', async () => {
  const replays = createReplays({ now: () => 0, most: 2 });
  for (const slot of ['a', 'b', 'c']) {
    const source = (async function* () {
      yield end;
    })();
    await all(replays.share(source, { slots: [slot], messageId: slot, threadId: 't', abort: () => undefined }));
  }
  expect(['a', 'b', 'c'].map((slot) => replays.find(slot)?.messageId)).toEqual([undefined, 'b', 'c']);
});

test('a later answer takes the slot; the end of the earlier one frees nothing of it', async () => {
  const { replays, begin } = open([end]);
  const earlier = begin();
  const later = (async function* () {
    yield end;
  })();
  replays.share(later, { slots: ['slot'], messageId: 'later', threadId: 't', abort: () => undefined });
  await all(earlier);
  expect(replays.find('slot')!.messageId).toBe('later');
});

test('of an answer that is too long nothing is found, and what all have read is not kept', async () => {
  const events = [...Array.from({ length: 50 }, (_, number) => text(`${number}`.padEnd(10))), end];
  const { replays, begin } = open(events, { longest: 100 });
  const answer = begin();
  const [one, two] = [answer.follow(), answer.follow()].map(({ events }) => events[Symbol.asyncIterator]());
  const first = [];
  for (let number = 0; number < 30; number++) first.push((await one!.next()).value);
  expect(first).toEqual(events.slice(0, 30));
  expect(replays.find('slot')).toBeUndefined();
  expect(await gathered({ [Symbol.asyncIterator]: () => two! })).toEqual(events);
  expect(await gathered({ [Symbol.asyncIterator]: () => one! })).toEqual(events.slice(30));
});

test('an answer that throws is over, and says so to its reader', async () => {
  const replays = createReplays({ now: () => 0 });
  const source = (async function* (): AsyncGenerator<AnswerEvent> {
    yield text('a');
    throw new Error('broken');
  })();
  const answer = replays.share(source, { slots: ['slot'], messageId: 'm', threadId: 't', abort: () => undefined });
  await expect(all(answer)).rejects.toThrow('broken');
});
