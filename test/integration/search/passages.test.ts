import { describe, expect, test } from 'vitest';
import type { Keyword } from '../../../integration/search/keywords.ts';
import { passagesOf } from '../../../integration/search/passages.ts';
import { markedText, marks, textAndCode } from '../../../integration/search/text-marks.ts';

const keyword = (term: string): Keyword => ({ term, weight: 1, relatedStems: new Map([[term, 1]]), isKnown: true });
const [lamp, horn] = [keyword('lamp'), keyword('horn')];
const long = 'The keeper writes down each ship that passes, with its name, its flag and the hour at which it went by.';
const shown = (text: string, code = '', keywords = [lamp]) =>
  passagesOf(markedText({ text, code }), keywords).map(({ marked }) => Object.values(textAndCode(marked)));

test('a section without text and code has one empty passage', () => {
  for (const empty of ['', ' \n '])
    expect(passagesOf(empty, [lamp, horn])).toEqual([{ marked: '', matches: [0, 0], isLead: false, length: 0 }]);
});

describe('the text of a passage', () => {
  test('is one line, or several from match to match', () => {
    expect(shown('Storm\nTrim the lamp.\nOil.\nClean the lamp.\nFog.')).toEqual([
      ['Trim the lamp.', ''],
      ['Trim the lamp.\nOil.\nClean the lamp.', ''],
      ['Clean the lamp.', ''],
    ]);
  });

  test('of a title is with the line below it', () => {
    expect(shown('Horn\nLoud.\nLamp\nBright.\nSeen from afar.')).toEqual([['Lamp\nBright.', '']]);
  });

  test('of a question is only with its answer, if it has one', () => {
    expect(shown('Storm\nDoes the lamp need oil?\nNo.\nSince when?\nAlways.')).toEqual([['Does the lamp need oil?\nNo.', '']]);
    expect(shown('灯需要油吗？\n不需要。', '', [keyword('灯')])).toContainEqual(['灯需要油吗？\n不需要。', '']);
    expect(shown('Storm\nDoes the lamp need oil?')).toEqual([['Does the lamp need oil?', '']]);
  });

  test('is one sentence of a long line', () => {
    expect(shown(`${long} ${long} Trim the lamp at dusk! ${long}`)).toContainEqual(['Trim the lamp at dusk!', '']);
  });

  test('is its first sentence where nothing matches, and nothing where it has none', () => {
    expect(shown('Storm is near.\nFog')).toEqual([['Storm is near.', '']]);
    expect(shown('Storm\nFog')).toEqual([['', '']]);
  });

  test('does not grow beyond 420 characters', () => {
    const text = `Trim the lamp.\n${long}\n${long}\n${long}\n${long}\nClean the lamp.`;
    const texts = shown(text).map(([part]) => part!);
    expect(texts).toContain('Clean the lamp.');
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(420);
  });

  test('is also the beginning of the section, up to what is not a sentence', () => {
    const leads = passagesOf('It stands on a rock.\nIt has a horn.\nParts\nThe lamp.', [lamp, horn]);
    expect(leads.filter(({ isLead }) => isLead)).toEqual([
      { marked: 'It stands on a rock.\nIt has a horn.', matches: [0, 1], isLead: true, length: 34 },
    ]);
  });

  test('is also the beginning of the section after lines with a value', () => {
    const leads = passagesOf('Type: number\nDefault: 5173\nThe port of the lamp.', [lamp]);
    expect(leads.filter(({ isLead }) => isLead).map(({ marked }) => marked)).toEqual([
      'Type: number\nDefault: 5173\nThe port of the lamp.',
    ]);
  });
});

describe('no passage breaks off', () => {
  const marked = (text: string) => passagesOf(text, [lamp]).map((passage) => passage.marked);
  const list = (mark: string, ...items: string[]) => items.map((item) => mark + item).join('\n');
  const head = `${marks.head}Part${marks.cell}Use`;
  const row = `Lamp${marks.cell}Light`;

  test('an announcement is with the code, the list or the table that it announces', () => {
    const items = list(marks.item, 'Oil', 'Wick');
    expect(marked(`Trim the lamp:${marks.code}trim${marks.code}Then rest.`)[0]).toBe(
      `Trim the lamp:${marks.code}trim${marks.code}`,
    );
    expect(marked(`The lamp needs:\n${items}\nThat is all.`)[0]).toBe(`The lamp needs:\n${items}`);
    expect(marked(`The lamp has:\n${head}\n${row}\nWick${marks.cell}Flame`)[0]).toBe(
      `The lamp has:\n${head}\n${row}\nWick${marks.cell}Flame`,
    );
  });

  test('an announcement of nothing is not quoted', () => {
    expect(marked('Trim the lamp:')).toEqual(['']);
    expect(marked('The lamp burns.\nTrim the lamp:')).toEqual(['The lamp burns.']);
  });

  test('a row is with the head of its table, and a head is not alone', () => {
    expect(marked(`${head}\nHorn${marks.cell}Sound\n${row}`)).toEqual([`${head}\n${row}`]);
    expect(marked(`${marks.head}Lamp${marks.cell}Use`)).toEqual(['']);
  });

  test('a step is with the whole procedure, its code in place, and what introduces it', () => {
    const steps = `${marks.step}Climb up.\n${marks.step}Light it:${marks.code}light${marks.code}${marks.step}Trim the lamp.`;
    expect(marked(`Do this.\n${steps}\nGo down.`)).toEqual([steps, `Do this.\n${steps}`, 'Do this.']);
  });

  test('the description of the page is not quoted', () => {
    expect(marked(`${marks.description}All about the lamp.\nThe lamp burns.`)).toEqual(['The lamp burns.']);
    expect(marked(`${marks.description}All about the lamp.`)).toEqual(['']);
  });
});

describe('code', () => {
  const code = 'horn --loud';

  test('is quoted with the text that introduces it', () => {
    expect(shown('Trim the lamp:', code)).toEqual([['Trim the lamp:', code]]);
    expect(shown('', code, [horn])).toContainEqual(['', code]);
    expect(shown('Trim the lamp', code, [horn])).toEqual([['Trim the lamp', code]]);
  });

  test('of many lines is quoted by those that match', () => {
    const lines = Array.from({ length: 30 }, (_, number) => `buoy ${number}`);
    lines[20] = 'horn({';
    lines[21] = '  loud: true,';
    lines[22] = '});';
    expect(shown('', lines.join('\n'), [horn])).toContainEqual(['', 'horn({\n  loud: true,\n});']);
  });
});
