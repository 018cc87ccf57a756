// Everything that `carrel doctor` checks, except the exporter, which is not part of the server.
import { ExportError } from '../../../integration/errors.ts';
import { readOptions } from '../../platform/read-options.ts';
import { checkDatabase, checkStorage } from './stores.ts';
import { examine, fail, ok, warn, type Finding } from './finding.ts';
import { checkCredentials, checkDataFolder, checkGit, checkNode, checkPrivateFiles } from './machine.ts';
import { checkBundleLink } from './bundle-link.ts';
import { checkEmbeddings, checkServerModel } from './models.ts';
import { checkPorts, checkPublicUrl, checkSitesUrl, findRunning } from './network.ts';

/**
 * Yields findings one by one; changes nothing. With an invalid configuration, the other checks can't run. `keyOf` is the admin key with which
 * the server of a data folder is queried, if one is known.
 */
export async function* examineServer(
  environment: NodeJS.ProcessEnv,
  now: () => number,
  keyOf: (data: string) => string | undefined,
): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield checkGit(environment);
  const notes: [what: string, next: string][] = [];
  let options;
  try {
    options = readOptions({ environment, note: (...note) => notes.push(note) });
  } catch (error) {
    const { message, hint } = error as ExportError;
    for (const line of message.split('\n').slice(1))
      yield examine('configuration', 1, () => fail(line.trim(), hint ?? 'Correct it.'));
    return;
  }
  yield examine('configuration', 1, () => ok('The configuration is valid'));
  for (const note of notes) yield warn(...note)('configuration');
  const running = await findRunning(options);
  yield checkDataFolder(options);
  yield checkPrivateFiles(options);
  yield checkCredentials(options);
  yield* await checkDatabase(options, running, { now, key: keyOf(options.data) });
  yield* await checkStorage(options, now);
  yield* await checkPorts(options, running);
  yield checkPublicUrl(options, running);
  yield checkSitesUrl(options, running);
  yield checkServerModel(options);
  yield checkEmbeddings(options);
  if (environment.CARREL_BUNDLE_URL) yield checkBundleLink(environment, now());
}
