import { resolve } from 'node:path';
import { z } from 'zod';
import { docsOptions, openExportedDocs } from './exported-docs.ts';
import { evaluated, isQuoted, readQuestions, summed, type Evaluated, type Evaluation } from './evaluation.ts';
import { flag, option, defineCommand, type OptionsOf } from './usage.ts';

const percent = z.coerce
  .number({ error: 'must be a number' })
  .min(0, { error: 'must be 0 or more' })
  .max(100, { error: 'must be at most 100' })
  .optional();

const options = {
  ...docsOptions,
  'min-hit': option(percent, 'PERCENT', 'Minimum share of questions whose page is among the first five results'),
  'max-wrong-refusals': option(percent, 'PERCENT', 'Maximum share of answerable questions without a quote'),
  'max-wrong-answers': option(percent, 'PERCENT', 'Maximum share of unanswerable questions with quotes'),
  json: flag('Print the figures and the result of every question as JSON'),
};

/** `carrel eval`: its options and how it is used. */
export const command = defineCommand({
  usage: 'eval QUESTIONS.jsonl',
  summary: 'Measure how well search and quotes answer a list of questions.',
  options,
  examples: [
    ['eval questions.jsonl --site site', 'Print the figures'],
    ['eval questions.jsonl --site site --min-hit 90', 'Fail when fewer questions find their page'],
    ['eval questions.jsonl --bundle docs.zip --json', 'Print the result of every question as JSON'],
  ],
  /** Exit codes: 0 measured, 3 measured and outside a limit. */
  async run({ options, words: [file = ''] }) {
    const questions = await readQuestions(resolve(file));
    const docs = await openExportedDocs(options);
    const answers: Evaluated[] = [];
    for (const question of questions) {
      const { language = options.language, docsVersion = options['docs-version'] } = question;
      const { index } = await docs.index({ language, docsVersion });
      answers.push(await evaluated(index, question));
    }
    const figures = summed(answers);
    const faults = faultsOf(figures, options);
    if (options.json) console.log(JSON.stringify({ ...figures, faults, questions: answers }, null, 2));
    else console.log([table(figures), missed(answers), faults.join('\n')].filter(Boolean).join('\n\n'));
    return faults.length > 0 ? 3 : 0;
  },
});

function faultsOf({ hit5, wrongRefusals, rightRefusals }: Evaluation, limits: OptionsOf<typeof options>): string[] {
  const faults: string[] = [];
  const { 'min-hit': least, 'max-wrong-refusals': refusals, 'max-wrong-answers': wrong } = limits;
  const wrongAnswers = rightRefusals === null ? null : 1 - rightRefusals;
  if (least !== undefined && hit5 !== null && hit5 * 100 < least)
    faults.push(`hit@5 is ${share(hit5)}, below --min-hit ${least} %.`);
  if (refusals !== undefined && wrongRefusals !== null && wrongRefusals * 100 > refusals)
    faults.push(`Wrong refusals are ${share(wrongRefusals)}, above --max-wrong-refusals ${refusals} %.`);
  if (wrong !== undefined && wrongAnswers !== null && wrongAnswers * 100 > wrong)
    faults.push(`Wrong answers are ${share(wrongAnswers)}, above --max-wrong-answers ${wrong} %.`);
  return faults;
}

function table(figures: Evaluation): string {
  const { answerable, unanswerable, withSection } = figures;
  const ofSections = withSection > 0;
  const rows: Row[] = [
    ['hit@1', share(figures.hit1), 'the expected page is the first result'],
    ['hit@5', share(figures.hit5), '… is among the first five'],
    ['MRR', reciprocal(figures.mrr), 'mean of 1 / its rank'],
    ...rowIf(ofSections, ['section MRR', reciprocal(figures.sectionMrr), '… of the expected section']),
    ['quoted first', share(figures.quoted1), 'the first quote is from the expected page'],
    ...rowIf(ofSections, ['… section', share(figures.quotedSection1), '… from the expected section']),
    ['quoted', share(figures.quoted), 'any of the quotes is from the expected page'],
    ...rowIf(ofSections, ['… section', share(figures.quotedSection), '… from the expected section']),
    ['wrong refusals', share(figures.wrongRefusals), 'the docs answer, but nothing was quoted'],
    ['right refusals', share(figures.rightRefusals), 'the docs do not answer, and nothing was quoted'],
  ];
  const head = `${answerable} answerable questions${ofSections ? `, ${withSection} with a section` : ''}, ${unanswerable} unanswerable`;
  return [head, '', ...rows.map(([name, value, meaning]) => `  ${name.padEnd(16)}${value.padStart(8)}   ${meaning}`)].join('\n');
}

type Row = [name: string, value: string, meaning: string];

function rowIf(isKnown: boolean, row: Row): Row[] {
  return isKnown ? [row] : [];
}

function missed(answers: Evaluated[]): string {
  const lines = answers.flatMap((answer) => {
    const { question, pages, quoted } = answer;
    if (pages.length === 0) return quoted.length > 0 ? [`  answered   ${question} (${quoted.join(', ')})`] : [];
    if (quoted.length === 0) return [`  refused    ${question} (${pages.join(', ')})`];
    return isQuoted(answer) ? [] : [`  elsewhere  ${question} (${pages.join(', ')}; quoted: ${quoted.join(', ')})`];
  });
  return lines.length > 0 ? ['Wrong results:', ...lines].join('\n') : '';
}

function reciprocal(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function share(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`;
}
