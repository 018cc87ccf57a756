import { server as labels } from '../../../integration/search/labels/en.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerEvent } from '../answer/answer-events.ts';
import type { RunningAnswers, ServerStopping } from '../stream/running-answers.ts';
import type { AnswerRecord, Threads } from './threads.ts';

interface RecordOptions {
  threads: Pick<Threads, 'answered'>;
  running: Pick<RunningAnswers, 'begin'>;
  log: Logger;
  metrics: Pick<Metrics, 'questions' | 'answers'>;
  now: () => number;
  answerId: string;
  signal: AbortSignal;
  /** Ends the answer before its end. */
  abort: (reason: ServerStopping) => void;
}

/**
 * Passes the events of an answer on, and notes and counts the answer before its last event. What is thrown becomes an event that tells nothing
 * from inside. An answer that cannot be noted is answered all the same. It runs until it is noted.
 */
export async function* recordAnswer(
  events: AsyncIterable<AnswerEvent>,
  { threads, running, log, metrics, now, answerId, signal, abort }: RecordOptions,
): AsyncGenerator<AnswerEvent> {
  const ended = running.begin(abort);
  const record: AnswerRecord = { text: '', sources: [], ended: 'left', writtenBy: null };
  let isNoted = false;
  const begunAt = now();
  metrics.questions.inc();
  const note = async () => {
    if (isNoted) return;
    isNoted = true;
    metrics.answers.observe({ by: record.writtenBy ?? 'none', ended: record.ended }, (now() - begunAt) / 1000);
    await threads.answered(answerId, record).catch((err: unknown) => log.error({ err, answer: answerId }, 'answer not noted'));
  };
  try {
    for await (const event of events) {
      if (event.type === 'source') record.sources.push(event.source);
      else if (event.type === 'text') record.text += event.text;
      else {
        if (event.type === 'end') Object.assign(record, { ended: event.reason, writtenBy: event.by });
        else record.ended = 'error';
        await note();
      }
      yield event;
    }
  } catch (err) {
    if (signal.aborted) return;
    log.error({ err, answer: answerId }, 'answer failed');
    record.ended = 'error';
    await note();
    yield { type: 'failed', code: 'AnswerFailed', message: labels.cutOff };
  } finally {
    if (!signal.aborted && record.ended === 'left') record.ended = 'other';
    await note();
    ended();
  }
}
