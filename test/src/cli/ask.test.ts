import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carrel } from './carrel.ts';

const root = mkdtempSync(join(tmpdir(), 'carrel-ask-'));
const fixtures = join(import.meta.dirname, '../../../fixtures');
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  for (const [fixture, out] of [
    ['plain-folder', 'site'],
    ['versions-languages', 'lights'],
  ] as const) {
    const args = ['export', join(fixtures, fixture), '--out', out, '--zip', `${out}.zip`, '--cache', 'cache'];
    const { code, stderr } = await carrel(args, { cwd: root });
    if (code !== 0) throw new Error(stderr);
  }
});

const run = (...args: string[]) => carrel(args, { cwd: root });
const address = (path: string) => pathToFileURL(join(root, path)).href;

describe('carrel ask', () => {
  test('quotes the export in the folder "site" with the path of the file', async () => {
    const { code, stdout } = await run('ask', 'How much does the filter cost?');
    expect(code).toBe(0);
    expect(stdout).toContain('From the docs:\n\n');
    expect(stdout).toContain('  Part | Price\n  Filter | $3\n\n[1] Parts\n    ');
    expect(stdout).toContain(address('site/03-parts/index.html'));
  });

  test('says that the docs do not answer, and exits with 3', async () => {
    expect(await run('ask', 'Who invented the telephone?')).toEqual({
      code: 3,
      stderr: '',
      stdout: 'The docs do not answer this.\n',
    });
  });

  test('reads a zip, and names the file in it', async () => {
    const { code, stdout } = await run('ask', 'How much does the filter cost?', '--bundle', 'site.zip');
    expect([code, stdout.includes('03-parts/index.html'), stdout.includes('file:')]).toEqual([0, true, false]);
  });

  test('asks in one language and one version, and answers in that language', async () => {
    const inGerman = await run('ask', 'Womit brennt die Lampe?', '--site', 'lights', '--language', 'de', '--docs-version', 'v1');
    expect(inGerman.stdout).toContain('Aus der Dokumentation:');
    expect(inGerman.stdout).toContain('Rüböl');
    const unknown = await run('ask', 'Lamp?', '--site', 'lights', '--language', 'fi');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('"lights" has no search index for fi.\nAvailable: '),
    ]);
    expect(unknown.stderr).toContain('de, v1');
  });

  test.each(['--site lights', '--bundle lights.zip'])(
    'without a page at the root asks the default language and version, %s',
    async (place) => {
      const { stdout } = await run('ask', 'What does the lamp burn?', ...place.split(' '));
      expect(stdout).toContain('The lamp of v2 burns paraffin.');
      const { stdout: older } = await run('ask', 'What does the burner hold?', ...place.split(' '), '--docs-version', 'V1');
      expect(older).toContain('whale oil');
    },
  );

  test('prints JSON whose URLs point to the quoted section', async () => {
    const { stdout } = await run('ask', 'How long should the first boil take?', '--json');
    const { question, quotes, nearest } = JSON.parse(stdout) as Record<string, never> & {
      quotes: { id: string; text: string; address: string }[];
    };
    expect([question, nearest]).toEqual(['How long should the first boil take?', []]);
    expect(quotes.map(({ id }) => id)).toContain('01-getting-started/02-first-boil#how-much-water');
    for (const { text, address } of quotes) {
      const [line = ''] = text.split('\n');
      expect(readFileSync(fileURLToPath(new URL(address)), 'utf8').replace(/<[^>]*>/g, '')).toContain(line);
    }
  });

  test.each<[args: string[], code: number, message: string]>([
    [['ask'], 2, 'Missing argument: QUESTION'],
    [['ask', 'how', 'long'], 2, 'Unexpected argument: long'],
    [['ask', 'x', '--site', 'site', '--bundle', 'site.zip'], 2, '--site and --bundle are mutually exclusive.'],
    [['ask', 'x', '--site', 'nowhere'], 1, 'There is no folder or archive'],
    [['ask', 'x', '--site', '.'], 1, 'NotASite'],
    [['ask', 'x', '--site', ''], 2, '--site: must not be empty'],
  ])('%j exits with %i', async (args, code, message) => {
    const ended = await run(...args);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  test('an empty question is not answered', async () => {
    expect((await run('ask', '')).code).toBe(3);
  });
});

describe('carrel eval', () => {
  const questions = (lines: unknown[]) => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    writeFileSync(join(root, 'questions.jsonl'), text);
    return 'questions.jsonl';
  };
  const three = [
    { question: 'How much does the filter cost?', page: '03-parts' },
    { question: 'How do I clean the kettle?', page: ['/01-getting-started/10-cleaning/', 'other'] },
    { question: 'How do I brew beer?', page: '03-parts' },
    { question: 'Who invented the telephone?', page: null },
  ];

  test('prints the figures, and the missed questions', async () => {
    const { code, stdout } = await run('eval', questions(three));
    expect(code).toBe(0);
    expect(stdout.replace(/ {2,}/g, ' | ')).toContain(
      [
        '3 answerable questions, 1 unanswerable',
        '',
        ' | hit@1 | 66.7 % | the expected page is the first result',
        ' | hit@5 | 66.7 % | … is among the first five',
        ' | MRR | 0.667 | mean of 1 / its rank',
        ' | quoted first | 66.7 % | the first quote is from the expected page',
        ' | quoted | 66.7 % | any of the quotes is from the expected page',
        ' | wrong refusals | 33.3 % | the docs answer, but nothing was quoted',
        ' | right refusals | 100.0 % | the docs do not answer, and nothing was quoted',
        '',
        'Wrong results:',
        ' | refused | How do I brew beer? (03-parts)',
      ].join('\n'),
    );
  });

  test('prints figures for sections where the file has some', async () => {
    const file = questions([
      { question: 'How much does the filter cost?', page: '03-parts', section: '/03-parts/' },
      { question: 'How long should the first boil take?', page: 'a', section: ['a#b', 'a#c'] },
    ]);
    const { code, stdout } = await run('eval', file);
    expect([code, stdout.replace(/ {2,}/g, ' | ')]).toEqual([
      0,
      expect.stringContaining(
        [
          '2 answerable questions, 2 with a section, 0 unanswerable',
          '',
          ' | hit@1 | 50.0 % | the expected page is the first result',
          ' | hit@5 | 50.0 % | … is among the first five',
          ' | MRR | 0.500 | mean of 1 / its rank',
          ' | section MRR | 0.500 | … of the expected section',
          ' | quoted first | 50.0 % | the first quote is from the expected page',
          ' | … section | 50.0 % | … from the expected section',
          ' | quoted | 50.0 % | any of the quotes is from the expected page',
          ' | … section | 50.0 % | … from the expected section',
        ].join('\n'),
      ),
    ]);
    const { questions: found } = JSON.parse((await run('eval', file, '--json')).stdout);
    expect(found).toMatchObject([
      { sections: ['03-parts'], rank: 1, sectionRank: 1, quotedSections: ['03-parts'] },
      { sections: ['a#b', 'a#c'], rank: null, sectionRank: null },
    ]);
  });

  test.each([
    [['--min-hit', '66', '--max-wrong-refusals', '34', '--max-wrong-answers', '0'], 0, ''],
    [['--min-hit', '67'], 3, 'hit@5 is 66.7 %, below --min-hit 67 %.'],
    [['--max-wrong-refusals', '33'], 3, 'Wrong refusals are 33.3 %, above --max-wrong-refusals 33 %.'],
  ])('%j exits with %i', async (limits, code, message) => {
    const ended = await run('eval', questions(three), ...limits);
    expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining(message)]);
  });

  test('reports quotes for questions that the docs do not answer', async () => {
    const file = questions([{ question: 'How much does the filter cost?', page: null }]);
    const { code, stdout } = await run('eval', file, '--max-wrong-answers', '10', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      answerable: 0,
      unanswerable: 1,
      hit1: null,
      rightRefusals: 0,
      wrongRefusals: null,
      faults: ['Wrong answers are 100.0 %, above --max-wrong-answers 10 %.'],
      questions: [{ question: 'How much does the filter cost?', pages: [], rank: null, quoted: ['03-parts'] }],
    });
  });

  test('asks each question in its own language and version', async () => {
    const file = questions([
      { question: 'Womit brennt die Lampe?', page: 'de/v2/lighting', language: 'de', docsVersion: 'v2', more: 'ignored' },
    ]);
    expect((await run('eval', file, '--bundle', 'lights.zip', '--min-hit', '100')).code).toBe(0);
  });

  test.each<[lines: unknown[], message: string]>([
    [[{ question: 'x', page: 'a' }, 'not JSON'], 'Line 2 of "'],
    [[{ question: 'x' }], 'is not a question with a page: {"question":"x"}'],
    [[{ question: '', page: null }], 'Line 1 of "'],
    [[{ question: 'x', page: 7 }], 'Line 1 of "'],
    [[{ question: 'x', page: 'a', section: 'b#c' }], 'has the section "b#c", which is not on a page of the line.'],
    [[{ question: 'x', page: null, section: 'b#c' }], 'has the section "b#c"'],
    [[''], 'contains no questions.'],
  ])('%j is rejected', async (lines, message) => {
    const ended = await run('eval', questions(lines));
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    [['eval', 'nowhere.jsonl'], 'nowhere.jsonl": ENOENT'],
    [['eval'], 'Missing argument: QUESTIONS.jsonl'],
    [['eval', 'questions.jsonl', '--min-hit', 'most'], '--min-hit: must be a number'],
    [['eval', 'questions.jsonl', '--min-hit', '101'], '--min-hit: must be at most 100'],
  ])('%j is rejected', async (args, message) => {
    const ended = await run(...args);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
