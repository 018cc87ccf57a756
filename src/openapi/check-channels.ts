// Mistakes of an AsyncAPI specification that its pages can be made in spite of.
import type { Problem } from '../../integration/diagnostics.ts';
import { hasChannel, type Channel } from './channels.ts';
import { isRecord, objectOf } from '../../integration/text/json.ts';
import { resolve } from './json.ts';
import { problemAt } from './references.ts';
import type { Specification } from './specification.ts';

/** Operations that no page shows, and parameters of addresses that no channel defines. */
export function channelProblems({ document, placeOf }: Specification, channels: readonly Channel[]): Problem[] {
  const problems: Problem[] = [];
  const report = (path: string[], message: (pointer: string) => string, hint: string) => {
    problems.push(problemAt(placeOf(path), { kind: 'specification-invalid', message, hint }));
  };
  // References that are broken are reported as such.
  for (const [id, given] of Object.entries(objectOf(document.operations))) {
    const operation = resolve(document, given)?.value;
    if (!operation) continue;
    if (operation.action !== 'send' && operation.action !== 'receive')
      report(
        ['operations', id],
        (pointer) => `The "action" of ${pointer} is neither "send" nor "receive".`,
        'Correct the action. Until then, no page shows the operation.',
      );
    else if (!hasChannel(document, operation) && (resolve(document, operation.channel) || !isRecord(operation.channel)))
      report(
        ['operations', id],
        (pointer) => `The operation at ${pointer} does not name a channel of the specification.`,
        'Set "channel" to a reference such as { "$ref": "#/channels/name" }. Until then, no page shows the operation.',
      );
  }
  for (const { name, address = '', channel } of channels) {
    const defined = objectOf(channel.parameters);
    for (const [, parameter = ''] of address.matchAll(/\{([^{}]+)\}/g)) {
      if (Object.hasOwn(defined, parameter)) continue;
      report(
        ['channels', name, 'address'],
        (pointer) => `The address at ${pointer} has a parameter "${parameter}" that the channel does not define.`,
        'Add it to "parameters". Until then, it is shown as a required text.',
      );
    }
  }
  return problems;
}
