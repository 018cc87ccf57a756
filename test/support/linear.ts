import { expect } from 'vitest';

/** Milliseconds of CPU in this thread: other work on the machine does not count. */
function milliseconds(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Expects that eight times the input costs about eight times the time: where the work grows with the square, it is 64
 * times. The garbage of other tests can only make one comparison look worse, so one good comparison of six is enough.
 */
export function expectLinear(size: number, run: (size: number) => void): void {
  run(size / 16);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    // Linux may count in ticks of 4 ms: below two of them, a ratio says nothing, and the square of the input takes far longer.
    const small = Math.max(8, Math.min(...[1, 2, 3].map(() => milliseconds(() => run(size / 8)))));
    // The best of three, too; one that is good enough needs no other.
    let large = Infinity;
    for (let turn = 0; turn < 3; turn++) {
      large = Math.min(
        large,
        milliseconds(() => run(size)),
      );
      if (large / small < 24) return;
    }
    ratios.push(large / small);
  }
  expect.fail(`eight times the input took ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times as long`);
}
