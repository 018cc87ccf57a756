import { expect, test } from 'vitest';
import type { AskEvent, AskQuestion } from '../../../../integration/reader/ask/answer.ts';
import { AskConversation, type Answerer } from '../../../../integration/reader/ask/conversation.ts';

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
