import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** The metrics of `/metrics` in the Prometheus text format, besides those of the process and of the queue. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    /** Seconds. */
    requests: histogram(
      'carrel_http_request_seconds',
      'Time from request to answer',
      ['method', 'route', 'status'],
      [0.005, 0.02, 0.05, 0.2, 1, 5],
    ),
    jobs: counter('carrel_jobs_total', 'Jobs by how they ended', ['status']),
    /** What became of looking for changes in the source of a site: started (an export), unchanged or failed. */
    checks: counter('carrel_site_checks_total', 'Scheduled looks for changes in the source of a site, by what became of them', [
      'result',
    ]),
    /** Seconds a run took. */
    runs: histogram('carrel_job_run_seconds', 'Time a run of a job took', ['status'], [1, 5, 20, 60, 300, 1200]),
    /** Questions whose answer began. */
    questions: counter('carrel_questions_total', 'Questions to the assistant'),
    /** Seconds an answer took. `by` is model or quotes; none if the answer ended before. */
    answers: histogram(
      'carrel_answer_seconds',
      'Time from a question to the end of its answer',
      ['by', 'ended'],
      [0.05, 0.2, 1, 3, 10, 30, 120],
    ),
    events: counter('carrel_events_total', 'Analytics events by what became of them: stored or dropped', ['result']),
    /** Seconds from a question to the first words of its answer. */
    firstTexts: histogram(
      'carrel_answer_first_text_seconds',
      'Time from a question to the first words of its answer',
      ['by'],
      [0.005, 0.02, 0.05, 0.2, 1, 3, 10, 30],
    ),
    /** Answers without a source: mostly those that say that the docs do not answer. */
    answersWithoutSources: counter(
      'carrel_answers_without_sources_total',
      'Complete answers that cite nothing, mostly because the docs do not answer',
      ['by'],
    ),
    refusedQuestions: counter(
      'carrel_questions_refused_total',
      'Questions refused before an answer began, by the code of the error',
      ['code'],
    ),
    ratings: counter('carrel_feedback_total', 'Ratings of answers by readers', ['rating']),
    modelTokens: counter(
      'carrel_model_tokens_total',
      'Tokens of complete answers of models, as their servers count them, else estimated',
      ['direction'],
    ),
    modelFailures: counter('carrel_model_failures_total', 'Calls to models that failed, by what they failed with', ['kind']),
  };
}
