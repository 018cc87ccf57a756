import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** The metrics of `/metrics` in the Prometheus text format, besides those of the process and of the queue. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    /** Seconds. */
    requests: new Histogram({
      name: 'carrel_http_request_seconds',
      help: 'Time from request to answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.2, 1, 5],
      registers,
    }),
    jobs: new Counter({ name: 'carrel_jobs_total', help: 'Jobs by how they ended', labelNames: ['status'], registers }),
    /** What became of looking for changes in the source of a site: started (an export), unchanged or failed. */
    checks: new Counter({
      name: 'carrel_site_checks_total',
      help: 'Scheduled looks for changes in the source of a site, by what became of them',
      labelNames: ['result'],
      registers,
    }),
    /** Seconds a run took. */
    runs: new Histogram({
      name: 'carrel_job_run_seconds',
      help: 'Time a run of a job took',
      labelNames: ['status'],
      buckets: [1, 5, 20, 60, 300, 1200],
      registers,
    }),
    /** Questions whose answer began. */
    questions: new Counter({ name: 'carrel_questions_total', help: 'Questions to the assistant', registers }),
    /** Seconds an answer took. `by` is model or quotes; none if the answer ended before. */
    answers: new Histogram({
      name: 'carrel_answer_seconds',
      help: 'Time from a question to the end of its answer',
      labelNames: ['by', 'ended'],
      buckets: [0.05, 0.2, 1, 3, 10, 30, 120],
      registers,
    }),
    events: new Counter({
      name: 'carrel_events_total',
      help: 'Analytics events by what became of them: stored or dropped',
      labelNames: ['result'],
      registers,
    }),
    /** Seconds from a question to the first words of its answer. */
    firstTexts: new Histogram({
      name: 'carrel_answer_first_text_seconds',
      help: 'Time from a question to the first words of its answer',
      labelNames: ['by'],
      buckets: [0.005, 0.02, 0.05, 0.2, 1, 3, 10, 30],
      registers,
    }),
    /** Answers without a source: mostly those that say that the docs do not answer. */
    answersWithoutSources: new Counter({
      name: 'carrel_answers_without_sources_total',
      help: 'Complete answers that cite nothing, mostly because the docs do not answer',
      labelNames: ['by'],
      registers,
    }),
    refusedQuestions: new Counter({
      name: 'carrel_questions_refused_total',
      help: 'Questions refused before an answer began, by the code of the error',
      labelNames: ['code'],
      registers,
    }),
    ratings: new Counter({
      name: 'carrel_feedback_total',
      help: 'Ratings of answers by readers',
      labelNames: ['rating'],
      registers,
    }),
    modelTokens: new Counter({
      name: 'carrel_model_tokens_total',
      help: 'Tokens of complete answers of models, as their servers count them, else estimated',
      labelNames: ['direction'],
      registers,
    }),
    modelFailures: new Counter({
      name: 'carrel_model_failures_total',
      help: 'Calls to models that failed, by what they failed with',
      labelNames: ['kind'],
      registers,
    }),
  };
}
