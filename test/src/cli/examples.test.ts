import { expect, test } from 'vitest';
import { groups } from '../../../src/cli/main.ts';
import { readArguments } from '../../../src/cli/usage.ts';

const entries = Object.values(groups).flatMap((group) => Object.entries(group));

test.each(entries)('the examples in the help of %s are valid', async (_name, { load }) => {
  const { command, subcommands = {} } = await load();
  const all = command ? [command] : Object.values(subcommands);
  expect(all).not.toEqual([]);
  for (const one of all) {
    const words = one.usage.split(' ').filter((word) => /^[a-z]/.test(word));
    const lines = one.examples.map(([line]) => argumentsOf(line)).filter((line) => words.every((word, at) => line[at] === word));
    expect(lines.length, one.usage).toBeGreaterThan(0);
    for (const line of lines) expect(readArguments(one, line.slice(words.length)), line.join(' ')).not.toBeNull();
    const grouped = Object.values(one.groups ?? {}).flat();
    expect(grouped.filter((option) => !Object.hasOwn(one.options.shape, option))).toEqual([]);
  }
});

/** The words of a line for a shell, up to a pipe, a redirection or a further command. */
function argumentsOf(line: string): string[] {
  const [first = ''] = line.split(/ (?:&&|>>?|\|) /);
  return [...first.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}
