// From a question to the streamed answer: place, limits, thread, answer, body.
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { addressSubject, type Limit } from '../../organizations/limits.ts';
import type { ApiEnvironment } from '../../http/api.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import type { AnswerEvent } from './answer-events.ts';
import { domainOf, siteWithoutExport } from '../request/caller.ts';
import type { Asked } from '../request/message-request.ts';
import { recordAnswer } from '../threads/record-answer.ts';
import { createReplays, type Found } from '../stream/replay.ts';
import type { ServerStopping } from '../stream/running-answers.ts';
import { streamBody } from '../stream/stream-body.ts';
import { createStreamPlaces } from '../stream/stream-places.ts';
import type { Asker, Thread } from '../threads/threads.ts';

const anonymous = 'anonymous';

export interface Answering {
  /** Throws `ApiError`: 404 `ThreadUnknown`, `SiteWithoutExport`; 429 `TooManyRequests`, `TooManyAnswers`; 503 `StreamsFull`. */
  ask(context: Context<ApiEnvironment>, asked: Asked, form: AnswerForm): Promise<Streamed>;
  /** The stream of an answer that the same reader asked for; undefined when there is none. */
  resume(context: Context<ApiEnvironment>, reader: Resuming, formFor: (isFromSdk?: boolean) => AnswerForm): Streamed | undefined;
}

/** How an answer goes over the wire. */
export interface AnswerForm {
  headers: Record<string, string>;
  heartbeat: string;
  write(events: AsyncIterable<AnswerEvent>, ids: { messageId: string; threadId: string }): AsyncIterator<string>;
}

type Streamed = ReturnType<typeof respond>;

export interface Resuming {
  chatId: string;
  fp?: string;
  threadKey?: string;
}

export function createAnswering(services: Services): Answering {
  const { answers: running, assistant, limits, log, metrics, now, options, threads } = services;
  const places = createStreamPlaces(options);
  const replays = createReplays(services);

  return {
    async ask(context, asked, form) {
      const asker = askerOf(context, asked.fp);
      const free = places.take(asker.key);
      const aborting = new AbortController();
      const connection = context.req.raw.signal;
      const abort = () => aborting.abort();
      const cut = (reason: ServerStopping) => aborting.abort(reason);
      // One who leaves before the answer begins is not answered; then others may follow it.
      connection.addEventListener('abort', abort, { once: true });
      try {
        // First: a follow-up that is refused is not counted.
        const known = await threadOf(asked, asker);
        const counted = await limits.count(limitsOf(services, asker, context.get('address')));
        for (const [name, value] of Object.entries(counted)) context.header(name, value);

        const events = await assistant.answer(asker.domain, asked.question, aborting.signal);
        if (!events) throw siteWithoutExport(asker.domain);
        const messageId = `msg_${randomBytes(8).toString('hex')}`;
        const thread = await noted(known, asker, { id: messageId, question: asked.question.text });
        const record = { threads, running, log, metrics, now, answerId: messageId, signal: aborting.signal, abort: cut };
        const answer = replays.share(recordAnswer(events, record), {
          slots: slotsOf(asker, asked.chatId, thread.secretHash),
          messageId,
          threadId: thread.id,
          isFromSdk: asked.isFromSdk,
          abort,
        });
        context.header('x-thread-id', thread.id);
        if (thread.secret !== undefined) context.header('x-thread-key', thread.secret);
        return respond(context, { answer, messageId, threadId: thread.id }, form, free);
      } catch (error) {
        abort();
        free();
        throw error;
      } finally {
        connection.removeEventListener('abort', abort);
      }
    },

    resume(context, { chatId, fp, threadKey }, formFor) {
      const asker = askerOf(context, fp);
      const secretHash = threadKey === undefined ? undefined : threads.hashOf(threadKey);
      const found = slotsOf(asker, chatId, secretHash)
        .map(replays.find)
        .find((entry) => entry !== undefined);
      if (!found) return undefined;
      context.header('x-thread-id', found.threadId);
      return respond(context, found, formFor(found.isFromSdk), places.take(asker.key));
    },
  };

  /** The thread that is continued. What the client only sends back opens a new one when the old is not there any more. */
  async function threadOf({ threadId, threadKey, echoedThreadId }: Asked, asker: Asker): Promise<Thread | undefined> {
    const claimed = threadId ?? echoedThreadId;
    if (claimed === undefined) return undefined;
    const found = await threads.find({ ...asker, threadId: claimed, threadKey });
    if (!found && (threadId !== undefined || threadKey !== undefined)) throw threadUnknown(claimed);
    return found;
  }

  async function noted(
    known: Thread | undefined,
    asker: Asker,
    answer: { id: string; question: string },
  ): Promise<Thread & { secret?: string }> {
    if (!known) return threads.open(asker, answer);
    await threads.ask(known.id, answer);
    return known;
  }
}

/** `fp` is who they say they are. */
export function askerOf(context: Context<ApiEnvironment>, fp = anonymous): Asker {
  const { organization, id } = context.get('key');
  return { organization, domain: domainOf(context), key: id, fp };
}

export function threadUnknown(id: string): ApiError {
  return new ApiError(
    404,
    'ThreadUnknown',
    `There is no thread "${id.slice(0, 60)}" of this reader: it may have expired, or its key is another. Leave threadId out to open a new one.`,
  );
}

/** The two limits of the contract, and one for each reader where the operator sets it; an `anonymous` reader is an address. */
export function limitsOf({ options }: Services, { organization, domain, fp }: Asker, address: string): Limit[] {
  const { questionsPerHour, questionsPerDay, questionsPerMinute } = options;
  const from = addressSubject(address);
  const limits: Limit[] = [
    { name: 'organization', subject: organization, most: questionsPerHour, seconds: 3600 },
    { name: 'address', subject: from, most: questionsPerDay, seconds: 86_400 },
  ];
  if (questionsPerMinute !== undefined) {
    const reader = fp === anonymous ? `address ${from}` : `fp ${fp}`;
    limits.push({ name: 'reader', subject: `${domain} ${reader}`, most: questionsPerMinute, seconds: 60 });
  }
  return limits;
}

/** What an answer can be found by, which nobody but its reader can tell: `anonymous` is everybody. */
function slotsOf({ key, domain, fp }: Asker, chatId: string | undefined, secretHash: string | undefined): string[] {
  if (chatId === undefined) return [];
  return [
    ...(secretHash === undefined ? [] : [JSON.stringify([key, domain, chatId, 'thread', secretHash])]),
    ...(fp === anonymous ? [] : [JSON.stringify([key, domain, chatId, 'reader', fp])]),
  ];
}

function respond(
  context: Context<ApiEnvironment>,
  { answer, messageId, threadId }: Pick<Found, 'answer' | 'messageId' | 'threadId'>,
  { headers, heartbeat, write }: AnswerForm,
  free: () => void,
) {
  const { events, leave } = answer.follow();
  const body = streamBody(write(events, { messageId, threadId }), {
    heartbeat,
    onLeave: leave,
    onClose: free,
    cut: () => context.env?.incoming?.socket.destroy?.(),
  });
  // A connection that closes before anybody reads the body.
  const { signal } = context.req.raw;
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return context.body(body, 200, headers);
}
