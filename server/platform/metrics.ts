import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** The metrics of `/metrics` in the Prometheus text format, besides those of the process and of the queue. */
export interface Metrics {
  registry: Registry;
  /** Labels: method, route, status. Seconds. */
  requests: Histogram<'method' | 'route' | 'status'>;
  /** Labels: status. */
  jobs: Counter<'status'>;
  /** Seconds a run took. Labels: status. */
  runs: Histogram<'status'>;
  /** Questions whose answer began. */
  questions: Counter;
  /** Seconds an answer took. Labels: by (model, quotes; none if the answer ended before), ended. */
  answers: Histogram<'by' | 'ended'>;
  /** Labels: kind. */
  modelFailures: Counter<'kind'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'carrel_http_request_seconds',
      help: 'Time from request to answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.2, 1, 5],
      registers,
    }),
    jobs: new Counter({ name: 'carrel_jobs_total', help: 'Jobs by how they ended', labelNames: ['status'], registers }),
    runs: new Histogram({
      name: 'carrel_job_run_seconds',
      help: 'Time a run of a job took',
      labelNames: ['status'],
      buckets: [1, 5, 20, 60, 300, 1200],
      registers,
    }),
    questions: new Counter({ name: 'carrel_questions_total', help: 'Questions to the assistant', registers }),
    answers: new Histogram({
      name: 'carrel_answer_seconds',
      help: 'Time from a question to the end of its answer',
      labelNames: ['by', 'ended'],
      buckets: [0.05, 0.2, 1, 3, 10, 30, 120],
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
