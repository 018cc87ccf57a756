import { expect, test } from 'vitest';
import { doubleDollars, takeId, withoutMarks } from '../../../src/markdown/prepare.ts';
import { expectLinear } from '../../support/linear.ts';

test.each([
  ['It costs $5 or $10.', 'It costs $5 or $10.'],
  ['From $1,000 to $2,000 = a lot', 'From $1,000 to $2,000 = a lot'],
  ['Set $HOME and $PATH first.', 'Set $HOME and $PATH first.'],
  ['$HOME_DIR/$FILE_NAME', '$HOME_DIR/$FILE_NAME'],
  ['${a} and ${b}', '${a} and ${b}'],
  ['`$x$` stays code', '`$x$` stays code'],
  ['title="$x^2$"', 'title="$x^2$"'],
  ['\\$x^2$ is escaped', '\\$x^2$ is escaped'],
  ['where $x$ is', 'where $$x$$ is'],
  ['the sum ($a_1 + a_2$)', 'the sum ($$a_1 + a_2$$)'],
  ['$\\frac{a}{b}$', '$$\\frac{a}{b}$$'],
  ['$E = mc^2$, then', '$$E = mc^2$$, then'],
  ['$$x$$ is one already', '$$x$$ is one already'],
])('%s', (line, expected) => {
  expect(doubleDollars(line)).toBe(expected);
});

test.each([
  ['withoutMarks', (text: string) => withoutMarks(text)],
  ['takeId', (text: string) => takeId(text).text],
])('the time %s takes grows with the number of spaces', (_, run) => {
  expectLinear(300_000, (size) => {
    const text = `a${' '.repeat(size)}b`;
    expect(run(text)).toBe(text);
  });
});
