// Mistakes of a specification that its pages can be made in spite of.
import type { Problem } from '../../integration/diagnostics.ts';
import { string } from './json.ts';
import { parametersOf, type Operation } from './operations.ts';
import { problemAt } from './references.ts';
import type { Specification } from './specification.ts';

/** Operations with the same id, those whose paths differ only in the names of their parameters, and path parameters that no operation defines. */
export function operationProblems({ document, file }: Specification, operations: readonly Operation[]): Problem[] {
  const problems: Problem[] = [];
  const byId = new Map<string, string>();
  const byPath = new Map<string, string>();
  for (const { operation, item, name, path, method, isWebhook } of operations) {
    const report = (message: string, hint: string) => {
      const place = { file, path: [isWebhook ? 'webhooks' : 'paths', path, method.toLowerCase()] };
      problems.push(problemAt(place, { kind: 'specification-invalid', message: () => message, hint }));
    };
    const id = string(operation.operationId);
    const first = id === undefined ? undefined : byId.get(id);
    if (first !== undefined)
      report(`"${id}" is the operation id of ${first} and of ${name}.`, 'Give each operation an id of its own.');
    else if (id !== undefined) byId.set(id, name);
    const pattern = isWebhook ? name : name.replace(/\{[^{}]*\}/g, '{}');
    const same = byPath.get(pattern);
    if (same !== undefined)
      report(
        `${same} and ${name} are the same path with other names of its parameters.`,
        'Merge the two, or change one of the paths.',
      );
    else byPath.set(pattern, name);
    const missing = isWebhook ? [] : parametersOf(document, item, operation, path).filter(({ isMissing }) => isMissing === true);
    for (const parameter of missing)
      report(
        `${name} does not define its path parameter "${string(parameter.name)}".`,
        'Add it to "parameters". Until then, it is shown as a required text.',
      );
  }
  return problems;
}
