import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What `/metrics` tells, in the Prometheus text format, beside the process's own numbers and the queue's. */
export interface Metrics {
  registry: Registry;
  /** Labels: method, route, status. Seconds. */
  requests: Histogram<'method' | 'route' | 'status'>;
  /** Labels: status. */
  jobs: Counter<'status'>;
  /** Seconds a run took. Labels: status. */
  runs: Histogram<'status'>;
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
  };
}
