// From a question to the streamed answer: limits, thread, session, body.
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { onAbort } from '../../integration/text/on-abort.ts';
import type { ApiEnvironment } from '../http/api.ts';
import { countRequest, type Limits } from '../organizations/limits.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { AnswerEvent } from './answer/answer-event.ts';
import type { Assistant } from './answer/assistant.ts';
import { exportKey } from '../active-exports/active-exports.ts';
import { siteWithoutExportError } from '../sites/site-access.ts';
import { anonymous, askerOf, limitsOf, type Asker, type QuestionLimits } from './request/asker.ts';
import type { Asked } from './request/question.ts';
import { AnswerSession, type AnswerSessions, type SessionParts } from './stream/answer-session.ts';
import { streamBody } from './stream/stream-body.ts';
import type { StreamLimit } from './stream/stream-limit.ts';
import { threadUnknownError, type Thread, type Threads } from './threads/threads.ts';
import { ApiError } from '../platform/errors.ts';

export interface AnswerServiceParts extends Pick<SessionParts, 'log' | 'now'> {
  metrics: SessionParts['metrics'] & Pick<Metrics, 'refusedQuestions'>;
  answers: AnswerSessions;
  assistant: Assistant;
  limits: Pick<Limits, 'count'>;
  options: QuestionLimits;
  streams: StreamLimit;
  threads: Threads;
}

/** How an answer goes over the wire. */
export interface AnswerForm {
  headers: Record<string, string>;
  heartbeat: string;
  write(events: AsyncIterable<AnswerEvent>, ids: { messageId: string; threadId: string }): AsyncIterator<string>;
}

export type AnswerService = ReturnType<typeof createAnswerService>;

export function createAnswerService(parts: AnswerServiceParts) {
  const { answers: sessions, assistant, limits, log, metrics, now, options, streams, threads } = parts;
  const sessionParts: SessionParts = { threads, sessions, log, metrics, now };

  return {
    /** Throws `ApiError`: 404 `ThreadUnknown`, `SiteWithoutExport`; 429 `TooManyRequests`, `TooManyAnswers`; 503 `StreamsFull`. */
    async ask(context: Context<ApiEnvironment>, asked: Asked, form: AnswerForm): Promise<Response> {
      const asker = askerOf(context, asked.fp);
      let release: (() => void) | undefined;
      const aborting = new AbortController();
      // A reader who leaves before the answer begins is not answered; after that, another connection of the same reader may follow it.
      const stopListening = onAbort(context.req.raw.signal, () => aborting.abort());
      try {
        release = streams.take(asker.key);
        // First: a follow-up that is refused is not counted.
        const known = await threadOf(asked, asker);
        await countRequest(context, limits, limitsOf(options, asker, context.get('address')));

        const answer = await assistant.answer(exportKey(asker.domain, asker.groups), asked.question, aborting.signal, asker);
        if (!answer) throw siteWithoutExportError(asker.domain);
        const messageId = `msg_${randomBytes(8).toString('hex')}`;
        const thread = await withQuestion(known, asker, {
          ...{ id: messageId, question: asked.question.text },
          // Browsers send the origin with every POST.
          caller: context.req.header('origin') === undefined ? 'api' : 'web',
        });
        const session = new AnswerSession(sessionParts, {
          ...answer,
          aborting,
          domain: asker.domain,
          messageId,
          threadId: thread.id,
          slots: slotsOf(asker, asked.chatId, thread.secretHash),
          isFromSdk: asked.isFromSdk,
        });
        sessions.add(session);
        context.header('x-thread-id', thread.id);
        if (answer.by) context.header('x-carrel-answer', answer.by);
        if (thread.secret !== undefined) context.header('x-thread-key', thread.secret);
        return respond(context, session, form, release);
      } catch (error) {
        aborting.abort();
        release?.();
        if (error instanceof ApiError) metrics.refusedQuestions.inc({ code: error.code });
        throw error;
      } finally {
        stopListening();
      }
    },

    /** The stream of an answer that the same reader asked for; undefined when there is none. */
    resume(
      context: Context<ApiEnvironment>,
      { chatId, fp, threadKey }: { chatId: string; fp?: string; threadKey?: string },
      formFor: (isFromSdk?: boolean) => AnswerForm,
    ): Response | undefined {
      const asker = askerOf(context, fp);
      const secretHash = threadKey === undefined ? undefined : threads.hashOf(threadKey);
      const found = slotsOf(asker, chatId, secretHash)
        .map(sessions.find)
        .find((session) => session !== undefined);
      if (!found) return undefined;
      context.header('x-thread-id', found.threadId);
      return respond(context, found, formFor(found.isFromSdk), streams.take(asker.key));
    },
  };

  /** The thread that is continued. An id that the client only sends back opens a new thread when the old one does not exist any more. */
  async function threadOf({ threadId, threadKey, echoedThreadId }: Asked, asker: Asker): Promise<Thread | undefined> {
    const claimed = threadId ?? echoedThreadId;
    if (claimed === undefined) return undefined;
    const found = await threads.find({ ...asker, threadId: claimed, threadKey });
    if (!found && (threadId !== undefined || threadKey !== undefined)) throw threadUnknownError(claimed);
    return found;
  }

  async function withQuestion(
    known: Thread | undefined,
    asker: Asker,
    answer: Parameters<Threads['ask']>[1],
  ): Promise<Thread & { secret?: string }> {
    if (!known) return threads.open(asker, answer);
    await threads.ask(known.id, answer);
    return known;
  }
}

/** The slots where an answer can be found, which only its reader knows: `anonymous` readers have none. */
function slotsOf({ key, domain, fp }: Asker, chatId: string | undefined, secretHash: string | undefined): string[] {
  if (chatId === undefined) return [];
  return [
    ...(secretHash === undefined ? [] : [JSON.stringify([key, domain, chatId, 'thread', secretHash])]),
    ...(fp === anonymous ? [] : [JSON.stringify([key, domain, chatId, 'reader', fp])]),
  ];
}

function respond(
  context: Context<ApiEnvironment>,
  session: AnswerSession,
  { headers, heartbeat, write }: AnswerForm,
  release: () => void,
) {
  const { events, leave } = session.follow();
  const body = streamBody(write(events, { messageId: session.messageId, threadId: session.threadId }), {
    heartbeat,
    onClose() {
      leave();
      release();
    },
    disconnect: () => context.env?.incoming?.socket.destroy?.(),
  });
  // A connection may close before the body is read.
  onAbort(context.req.raw.signal, leave);
  return context.body(body, 200, headers);
}
