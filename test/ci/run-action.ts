import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';

export const actionFile = join(import.meta.dirname, '../../.github/actions/export/action.yml');

interface Step {
  id?: string;
  if?: string;
  name?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
  'working-directory'?: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

export interface ActionRun {
  /** Exit code of the last step that ran. */
  code: number;
  /** Names of the scripts that ran, and the actions that would be used. */
  steps: string[];
  /** Inputs of the used actions, by their names without a version. */
  uses: Record<string, Record<string, string>>;
  outputs: Record<string, string>;
  /** Both outputs of all scripts. */
  log: string;
}

export const action = parse(readFileSync(actionFile, 'utf8')) as Action;

/** Runs the scripts of the composite action as a runner does: expressions by GitHub's own library, each script by bash. */
export async function runAction(
  workspace: string,
  given: Record<string, string>,
  env: NodeJS.ProcessEnv,
  github: object = { event_name: 'push' },
): Promise<ActionRun> {
  const inputs = inputsOf(given);
  const outputs: Record<string, Record<string, string>> = {};
  const temporary = join(workspace, '../runner');
  mkdirSync(temporary, { recursive: true });
  const run: ActionRun = { code: 0, steps: [], uses: {}, outputs: {}, log: '' };
  const value = (template: string) =>
    template.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression, { inputs, outputs, github }));
  const values = (templates: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, value(String(template))]));
  const files = { GITHUB_OUTPUT: join(temporary, 'output'), GITHUB_PATH: join(temporary, 'path') };
  let path = env.PATH;
  for (const step of action.runs.steps) {
    if (run.code !== 0) break;
    if (step.if !== undefined && evaluate(step.if, { inputs, outputs, github }) !== 'true') continue;
    if (step.uses !== undefined) {
      run.steps.push(step.uses);
      run.uses[step.uses.replace(/@.*/, '')] = values(step.with);
      continue;
    }
    run.steps.push(step.name!);
    for (const file of Object.values(files)) writeFileSync(file, '');
    const script = join(temporary, 'script.sh');
    writeFileSync(script, step.run!);
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: resolve(workspace, value(step['working-directory'] ?? '.')),
      env: { ...env, ...files, PATH: path, RUNNER_TEMP: temporary, GITHUB_WORKSPACE: workspace, ...values(step.env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = new Promise<number>((done, fail) => child.once('error', fail).once('close', (code) => done(code ?? 1)));
    const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
    run.code = code;
    run.log += stdout + stderr;
    const written = readFileSync(files.GITHUB_OUTPUT, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
    outputs[step.id ?? ''] = Object.fromEntries([...written].map(([, name, content]) => [name!, content!]));
    for (const folder of readFileSync(files.GITHUB_PATH, 'utf8').split('\n').filter(Boolean))
      path = `${folder}${delimiter}${path}`;
  }
  run.outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, output]) => [name, value(output.value)]));
  return run;
}

function inputsOf(given: Record<string, string>): Record<string, string> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(action.inputs, name));
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(', ')}.`);
  return Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]));
}

/** Whether a step runs for a folder of docs, by its condition alone. */
export function runsFor(name: string, given: Record<string, string>, github: object): boolean {
  const step = action.runs.steps.find((one) => one.name === name)!;
  return evaluate(step.if!, { inputs: inputsOf(given), outputs: { prepare: { kind: 'docs' } }, github }) === 'true';
}

interface Contexts {
  inputs: Record<string, string>;
  outputs: Record<string, Record<string, string>>;
  github: object;
}

function evaluate(expression: string, { inputs, outputs, github }: Contexts): string {
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, ['inputs', 'steps', 'github'], []).parse();
  const steps = Object.entries(outputs).map(([id, own]) => [id, dictionary([['outputs', strings(own)]])] as const);
  const context = dictionary([
    ['inputs', strings(inputs)],
    ['steps', dictionary(steps)],
    ['github', JSON.parse(JSON.stringify(github), data.reviver) as data.ExpressionData],
  ]);
  return new Evaluator(parsed, context).evaluate().coerceString();
}

function strings(values: Record<string, string>): data.Dictionary {
  return dictionary(Object.entries(values).map(([key, value]) => [key, new data.StringData(value)]));
}

function dictionary(pairs: (readonly [key: string, value: data.ExpressionData])[]): data.Dictionary {
  return new data.Dictionary(...pairs.map(([key, value]) => ({ key, value })));
}
