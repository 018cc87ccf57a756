import { expect, test } from 'vitest';
import type { AskEvent, AskQuestion } from '../../../../integration/reader/ask/answer.ts';
import {
  type Answerer,
  AskConversation,
  askHistory,
  type Conversation,
  fingerprint,
} from '../../../../integration/reader/ask/conversation.ts';

const about = { context: [{ type: 'code' as const, value: 'npm i' }], page: 'a', names: ['Code: npm i'] };
const plain = { context: [], page: undefined, names: [] };

function answering(...events: AskEvent[]): { answerer: Answerer; asked: AskQuestion[] } {
  const asked: AskQuestion[] = [];
  return {
    asked,
    async *answerer(question) {
      asked.push(question);
      yield* events;
    },
  };
}

test('stores questions and answers, and continues the thread', async () => {
  const seen: string[] = [];
  const conversation = new AskConversation(undefined, (answer) => seen.push(`${answer.text}${answer.busy ? '…' : ''}`));
  const source = { number: 1, section: 'a#b', title: 'A' };
  const { answerer, asked } = answering(
    { type: 'thread', thread: { id: 'T', key: 'K' } },
    { type: 'message', id: 'msg' },
    { type: 'source', source },
    { type: 'text', text: 'So ' },
    { type: 'text', text: '[1].' },
    { type: 'thread', thread: { id: 'T' } },
  );
  await conversation.ask('How?', about, 'server', answerer);
  await conversation.ask('And?', plain, 'server', answerer);
  expect(seen.slice(0, 8)).toEqual(['…', '…', '…', '…', 'So …', 'So [1].…', 'So [1].…', 'So [1].']);
  expect(conversation.messages).toMatchObject([
    { role: 'user', text: 'How?', about: ['Code: npm i'] },
    { role: 'assistant', id: 'msg', text: 'So [1].', sources: [source], by: 'server' },
    { role: 'user', text: 'And?' },
    { role: 'assistant' },
  ]);
  expect(conversation.conversation.thread).toEqual({ id: 'T', key: 'K' });
  expect(asked[0]).toMatchObject({ context: about.context, page: 'a', thread: undefined });
  expect(asked[1]).toMatchObject({ context: [], page: undefined, thread: { id: 'T', key: 'K' } });
  expect(asked[1]!.messages.map(({ text }) => text)).toEqual(['How?', 'So [1].', 'And?']);
});

test('asks the last question again with its context, and replaces its answer', async () => {
  const conversation = new AskConversation(undefined, () => {});
  await conversation.ask('How?', about, 'server', answering({ type: 'failed', reason: 'lost' }).answerer);
  expect(conversation.messages.at(-1)).toMatchObject({ fault: 'lost', failure: { reason: 'lost' } });
  const { answerer, asked } = answering({ type: 'text', text: 'So.' });
  await conversation.again('quotes', answerer);
  expect(conversation.messages.map(({ text }) => text)).toEqual(['How?', 'So.']);
  expect(asked).toMatchObject([{ context: about.context, page: 'a' }]);
});

test('an answer that is stopped says so', async () => {
  const conversation: AskConversation = new AskConversation(undefined, (answer) => answer.text === 'So' && conversation.stop());
  const { answerer } = answering({ type: 'text', text: 'So' }, { type: 'text', text: ' on' });
  await conversation.ask('How?', plain, 'server', answerer);
  expect(conversation.messages.at(-1)).toMatchObject({ text: 'So', failure: { reason: 'stopped' } });
  expect(conversation.messages.at(-1)!.busy).toBeUndefined();
  expect(conversation.busy).toBe(false);
});

test('reports an answerer that throws', async () => {
  const conversation = new AskConversation(undefined, () => {});
  await conversation.ask('How?', plain, 'quotes', async function* () {
    yield* [];
    throw new Error('The index is not there.');
  });
  expect(conversation.messages.at(-1)).toMatchObject({ failure: { reason: 'refused', message: 'The index is not there.' } });
});

/** Storage as browsers have it, with a little room. */
function storage(room = 100_000): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, value);
    },
    removeItem: (name: string) => void items.delete(name),
  } as Storage;
}

const refused = () => {
  throw new DOMException('no', 'SecurityError');
};

const conversation = (id: string, text = id): Conversation => ({ id, messages: [{ id: 'm', role: 'user', text }] });

test('stores conversations, the latest first, each once', () => {
  const store = storage();
  const history = askHistory(() => store, 'a');
  history.store(conversation('1'));
  history.store(conversation('2'));
  history.store(conversation('1', 'again'));
  expect(history.read()).toEqual([conversation('1', 'again'), conversation('2')]);
  expect(askHistory(() => store, 'b').read()).toEqual([]);
  history.clear();
  expect(history.read()).toEqual([]);
});

test('stores twenty, with a hundred messages each', () => {
  const store = storage();
  const history = askHistory(() => store, 'a');
  for (let i = 0; i < 30; i++) history.store(conversation(String(i)));
  expect(history.read().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => String(29 - i)));
  const messages = Array.from({ length: 150 }, (_, i) => ({ id: String(i), role: 'user' as const, text: 'a' }));
  history.store({ id: 'long', messages });
  expect(history.read()[0]!.messages.map(({ id }) => id)).toEqual(messages.slice(-100).map(({ id }) => id));
});

test('drops the oldest ones when storage is full', () => {
  const store = storage(2000);
  const history = askHistory(() => store, 'a');
  for (let i = 0; i < 10; i++) history.store(conversation(String(i), 'a'.repeat(400)));
  const kept = history.read().map(({ id }) => id);
  expect(kept[0]).toBe('9');
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThan(6);
  history.store(conversation('huge', 'a'.repeat(4000)));
  expect(history.read().map(({ id }) => id)).toEqual(kept);
});

test('stores nothing where storage is blocked', () => {
  const history = askHistory(refused, 'a');
  history.store(conversation('1'));
  history.clear();
  expect(history.read()).toEqual([]);
  expect(fingerprint(refused)).toBe('anonymous');
});

test.each(['{', '7', '{}', '[null,1,{"id":1},{"id":"a"},{"id":"a","messages":[{"role":"system","id":"b","text":"c"}]}]'])(
  'passes over what is none of ours: %s',
  (stored) => {
    const store = storage();
    store.setItem('a', stored);
    expect(askHistory(() => store, 'a').read()).toEqual([]);
  },
);

test('a browser has one random id', () => {
  const store = storage();
  const name = fingerprint(() => store);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(fingerprint(() => store)).toBe(name);
  expect(fingerprint(() => storage())).not.toBe(name);
  store.setItem('carrel-ask-fp', 'x'.repeat(5000));
  expect(fingerprint(() => store)).toMatch(/^[0-9a-f]{32}$/);
});
