import { describe, expect, test } from 'vitest';
import type { Keyword } from '../../../integration/search/keywords.ts';
import { passagesOf } from '../../../integration/search/passages.ts';

const keyword = (term: string): Keyword => ({ term, weight: 1, relatedStems: new Map([[term, 1]]), isKnown: true });
const [lamp, horn] = [keyword('lamp'), keyword('horn')];
const long = 'The keeper writes down each ship that passes, with its name, its flag and the hour at which it went by.';
const shown = (text: string, code = '', keywords = [lamp]) =>
  passagesOf({ text, code }, keywords).map((passage) => [passage.text, passage.code]);

test('a section without text and code has one empty passage', () => {
  for (const empty of ['', ' \n '])
    expect(passagesOf({ text: empty, code: empty }, [lamp, horn])).toEqual([
      { text: '', code: '', matches: [0, 0], isLead: false },
    ]);
});

describe('the text of a passage', () => {
  test('is one line, or several from match to match', () => {
    expect(shown('Storm\nTrim the lamp.\nOil.\nClean the lamp.\nFog.')).toEqual([
      ['Trim the lamp.', ''],
      ['Trim the lamp.\nOil.\nClean the lamp.', ''],
      ['Clean the lamp.', ''],
    ]);
  });

  test('of a title is also with the line below it', () => {
    expect(shown('Horn\nLoud.\nLamp\nBright.\nSeen from afar.')).toEqual([
      ['Lamp', ''],
      ['Lamp\nBright.', ''],
    ]);
  });

  test('of a question is only with its answer, if it has one', () => {
    expect(shown('Storm\nDoes the lamp need oil?\nNo.\nSince when?\nAlways.')).toEqual([['Does the lamp need oil?\nNo.', '']]);
    expect(shown('灯需要油吗？\n不需要。', '', [keyword('灯')])).toContainEqual(['灯需要油吗？\n不需要。', '']);
    expect(shown('Storm\nDoes the lamp need oil?')).toEqual([['Does the lamp need oil?', '']]);
  });

  test('is one sentence of a long line', () => {
    expect(shown(`${long} ${long} Trim the lamp at dusk! ${long}`)).toContainEqual(['Trim the lamp at dusk!', '']);
  });

  test('is its first line where nothing matches', () => {
    expect(shown('Storm\nFog')).toEqual([['Storm', '']]);
  });

  test('does not grow beyond 420 characters', () => {
    const text = `Trim the lamp.\n${long}\n${long}\n${long}\n${long}\nClean the lamp.`;
    const texts = shown(text).map(([part]) => part!);
    expect(texts).toContain('Clean the lamp.');
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(420);
  });

  test('is also the beginning of the section, up to what is not a sentence', () => {
    const leads = passagesOf({ text: 'It stands on a rock.\nIt has a horn.\nParts\nThe lamp.', code: '' }, [lamp, horn]);
    expect(leads.filter(({ isLead }) => isLead)).toEqual([
      { text: 'It stands on a rock.\nIt has a horn.', code: '', matches: [0, 1], isLead: true },
    ]);
  });
});

describe('code', () => {
  const code = 'horn --loud';

  test('is quoted by itself, and with the text that introduces it', () => {
    expect(shown('Trim the lamp:', code)).toEqual([
      ['Trim the lamp:', code],
      ['', code],
    ]);
  });

  test('is quoted with other text only where it matches what the text does not', () => {
    expect(shown('Trim the lamp', code, [lamp, horn])).toEqual([
      ['Trim the lamp', ''],
      ['Trim the lamp', code],
      ['', code],
    ]);
    expect(shown('Trim the lamp', code, [lamp])).toEqual([
      ['Trim the lamp', ''],
      ['', code],
    ]);
  });

  test('of many lines is quoted by those that match', () => {
    const lines = Array.from({ length: 30 }, (_, number) => `buoy ${number}`);
    lines[20] = 'horn({';
    lines[21] = '  loud: true,';
    lines[22] = '});';
    expect(shown('', lines.join('\n'), [horn])).toEqual([['', 'horn({\n  loud: true,\n});']]);
  });
});
