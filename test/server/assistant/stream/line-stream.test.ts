import { expect, test } from 'vitest';
import type { AnswerEvent } from '../../../../server/assistant/answer/answer.ts';
import { lineStream } from '../../../../server/assistant/stream/message-stream.ts';
import { shortAnswer } from '../scripted-assistant.ts';

async function streamed(events: AnswerEvent[]): Promise<string> {
  const answer = (async function* () {
    yield* events;
  })();
  let text = '';
  for await (const piece of lineStream(answer, { messageId: 'msg_1', threadId: 'th_1' })) text += piece;
  return text;
}

test('an answer is the lines that clients of version 4 read', async () => {
  expect(await streamed(shortAnswer)).toMatchInlineSnapshot(`
    "f:{"messageId":"msg_1"}
    2:[{"type":"thread","threadId":"th_1"}]
    8:[{"threadId":"th_1"}]
    0:"Run it"
    h:{"sourceType":"url","id":"s1","url":"/guides/install#npm","title":"Install"}
    h:{"sourceType":"url","id":"s2","url":"/"}
    0:" [1]."
    8:[{"answeredBy":"quotes"}]
    e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}
    d:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"threadId":"th_1"}
    "
  `);
});

test('a failure comes last, also for an answer that stops without an end', async () => {
  const failed: AnswerEvent = { type: 'failed', code: 'ModelAway', message: 'The model is away.' };
  expect((await streamed([{ type: 'text', text: 'Half' }, failed])).split('\n').slice(-3)).toEqual([
    '0:"Half"',
    '3:"The model is away."',
    '',
  ]);
  expect(await streamed([{ type: 'text', text: 'Half' }])).toMatch(/3:"The answer was cut off\. Ask again\."\n$/);
});

test('any text is one line', async () => {
  const lines = (
    await streamed([
      { type: 'text', text: 'a\nb\r\n3:"x"' },
      { type: 'end', reason: 'stop', by: 'model' },
    ])
  ).split('\n');
  expect(lines).toContain('0:"a\\nb\\r\\n3:\\"x\\""');
});
