import { randomNumbers } from '../support/generated-pages.ts';

/** The mean of values, with its 95 % bootstrap interval; the same for the same values. Undefined if there are none. */
export function bootstrap(values: number[]): { mean: number; low: number; high: number } | undefined {
  if (values.length === 0) return undefined;
  const random = randomNumbers(3);
  const means = Array.from({ length: samples }, () => mean(values.map(() => values[Math.floor(random() * values.length)]!)));
  means.sort((a, b) => a - b);
  return { mean: mean(values), low: means[Math.floor(samples * 0.025)]!, high: means[Math.ceil(samples * 0.975) - 1]! };
}

const samples = 1000;

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
