import { describe, expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { options, page } from './fixtures.ts';

async function render(body: string) {
  const renderer = createRenderer(options);
  return renderer.render(page(body, { kind: 'md', file: 'page.md' }));
}

/** The formulas of a page, as the TeX that their MathML names. */
function formulasIn(html: string): string[] {
  return [...html.matchAll(/<annotation encoding="application\/x-tex">(.*?)<\/annotation>/gs)].map(([, tex = '']) => tex);
}

test.each([
  ['in a line', 'By $a^2 + b^2 = c^2$.', ['a^2 + b^2 = c^2']],
  ['between two dollars', '$$\n\\sum_{i=1}^n i\n$$', ['\\sum_{i=1}^n i']],
  ['in a fence', '```math\n\\sqrt{x}\n```', ['\\sqrt{x}']],
  ['in a component', '<Latex>x = y</Latex>', ['x = y']],
  [
    'in a table, a quotation and a link',
    '| $x_1$ |\n|-|\n| $x_2$ |\n\n> $x_3$ and [$x_4$](other.md)',
    ['x_1', 'x_2', 'x_3', 'x_4'],
  ],
  ['that are prices', 'It costs $5 or $10/month, not $5-$10.', []],
  ['that are variables', 'Set $HOME=$PWD or `$x^2$`.', []],
])('formulas %s', async (_, body, expected) => {
  const { html, problems } = await render(body);
  expect(formulasIn(html)).toEqual(expected);
  expect(problems).toEqual([]);
});

test('a formula in a heading is in its text and its anchor', async () => {
  const { html, headings } = await render('## The $O(n^2)$ bound');
  expect(headings).toEqual([{ depth: 2, id: 'the-on2-bound', text: 'The O(n^2) bound' }]);
  expect(formulasIn(html)).toEqual(['O(n^2)']);
});

test('the Markdown version has formulas as they were written', async () => {
  const { markdown } = await render('By $x^2$.\n\n$$\ny^2\n$$');
  expect(markdown).toBe('By $x^2$.\n\n$$\ny^2\n$$');
});

describe('a formula that is shown as code', () => {
  test.each([
    ['an unknown command', 'One.\n\nBy $\\frac{a}{b}$ and $\\nothing{a}$.', 3, 'undefined control sequence: \\nothing'],
    ['a missing brace', '$$\n\\frac{a\n$$', 2, "unexpected end of input in a macro argument, expected '}'"],
    ['a macro without end', '$$\n\\def\\a{\\a\\a}\\a\n$$', 2, 'a macro in it has no end'],
    [
      'macros that make it longer and longer',
      `$$\n\\def\\a{${'x'.repeat(1000)}}${'\\a'.repeat(900)}\n$$`,
      2,
      'its macros make more than 50000 signs',
    ],
    ['signs far away from it', '$$\n\\kern{-90000em} x\n$$', 2, 'it moves signs further than 99em'],
    ['a length without limit', `$$\n${'x'.repeat(20_000)}\n$$`, 2, 'it has more than 10000 characters'],
    ['a depth without limit', `$$\n${'{'.repeat(4900)}x${'}'.repeat(4900)}\n$$`, 2, 'it nests too deeply'],
  ])('has %s', async (_, body, line, reason) => {
    const { html, problems } = await render(body);
    expect(problems).toEqual([
      expect.objectContaining({ kind: 'formula-shown-as-code', severity: 'warning', page: 'page.md', line }),
    ]);
    expect(problems[0]!.message).toContain(`is shown as code: ${reason}.`);
    expect(html).toContain('<code');
  });
});

test('macros of a formula are its own, and none is left behind for another', async () => {
  const { problems } = await render('$\\gdef\\own#1{#1^2}\\own{x}$ and $\\own{y}$');
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('undefined control sequence: \\own')]);
});

test('a size without limit is cut', async () => {
  const { html } = await render('$$\n\\rule{100000em}{100000em} + \\kern{90000em} x\n$$');
  const sizes = [...html.replace(/<annotation.*?<\/annotation>/s, '').matchAll(/(\d+(?:\.\d+)?)em/g)].map(([, size]) =>
    Number(size),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(45);
  expect(sizes.length).toBeGreaterThan(0);
});

test('chemical equations and units are formulas', async () => {
  const { html, problems } = await render('$$\n\\ce{H2O} \\pu{75 J}\n$$');
  expect(formulasIn(html)).toEqual(['\\ce{H2O} \\pu{75 J}']);
  expect(problems).toEqual([]);
});
