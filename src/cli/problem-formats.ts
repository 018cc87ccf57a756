// The problems of a check for other programs: JSON, the commands of GitHub's workflows, and SARIF.
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { countProblems, type Problem } from '../../integration/diagnostics.ts';
import type { CheckReport } from '../../integration/export/check-site.ts';
import { carrelVersion } from '../version.ts';

/** The checked folder, and the folder that the program runs in, which paths in annotations start from. */
export interface CheckedFolder {
  root: string;
  workingFolder: string;
}

export function jsonText({ pages, problems }: CheckReport): string {
  return JSON.stringify({ pages, ...countProblems(problems), problems }, null, 2);
}

const commands: Record<Problem['severity'], string> = { error: 'error', warning: 'warning', note: 'notice' };

/** A workflow command for each problem: GitHub shows it beside the line. */
export function githubText(problems: Problem<string>[], folder: CheckedFolder): string {
  return problems
    .map((problem) => {
      const { severity, page, line, column, kind } = problem;
      const properties = [
        page !== undefined && `file=${property(pathOf(page, folder))}`,
        line !== undefined && `line=${line}`,
        line !== undefined && column !== undefined && `col=${column}`,
        `title=${property(kind)}`,
      ];
      return `::${commands[severity]} ${properties.filter(Boolean).join(',')}::${data(sentence(problem))}`;
    })
    .join('\n');
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function sarifText(problems: Problem<string>[], folder: CheckedFolder): string {
  const kinds = [...new Set(problems.map(({ kind }) => kind))].sort();
  const results = problems.map((problem) => {
    const { kind, severity, page, line, column } = problem;
    const artifactLocation = page === undefined ? undefined : { uri: encodeURI(pathOf(page, folder)), uriBaseId: 'ROOT' };
    const region = line === undefined ? undefined : { startLine: line, ...(column !== undefined && { startColumn: column }) };
    return {
      ruleId: kind,
      ruleIndex: kinds.indexOf(kind),
      level: severity,
      message: { text: sentence(problem) },
      ...(artifactLocation && { locations: [{ physicalLocation: { artifactLocation, ...(region && { region }) } }] }),
    };
  });
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'carrel', version: carrelVersion, rules: kinds.map((id) => ({ id })) } },
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(folder.workingFolder).href}/` } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function sentence({ message, hint }: Problem<string>): string {
  return [message, hint].filter(Boolean).join(' ');
}

/** The path of a file of the checked folder as annotations need it. */
function pathOf(page: string, { root, workingFolder }: CheckedFolder): string {
  const folder = relative(workingFolder, root).replaceAll('\\', '/');
  return folder === '' ? page : `${folder}/${page}`;
}
