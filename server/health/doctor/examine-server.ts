// Everything that `carrel doctor` checks, except the exporter, which is not part of the server.
import { ExportError } from '../../../integration/errors.ts';
import { readOptions } from '../../platform/read-options.ts';
import { checkDatabase, checkStorage } from './stores.ts';
import { examine, fail, ok, type Finding } from './finding.ts';
import { checkCredentials, checkDataFolder, checkGit, checkNode, checkPrivateFiles } from './machine.ts';
import { checkPorts, checkPublicUrl, checkServerModel, findRunning } from './network.ts';

/** Yields findings one by one; changes nothing. With an invalid configuration, the other checks can't run. */
export async function* examineServer(environment: NodeJS.ProcessEnv, now: () => number): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield checkGit(environment);
  let options;
  try {
    options = readOptions({ environment });
  } catch (error) {
    const { message, hint } = error as ExportError;
    for (const line of message.split('\n').slice(1))
      yield examine('configuration', 1, () => fail(line.trim(), hint ?? 'Correct it.'));
    return;
  }
  yield examine('configuration', 1, () => ok('The configuration is valid'));
  const running = await findRunning(options);
  yield checkDataFolder(options);
  yield checkPrivateFiles(options);
  yield checkCredentials(options);
  yield* await checkDatabase(options, running, now);
  yield* await checkStorage(options, now);
  yield* await checkPorts(options, running);
  yield checkPublicUrl(options, running);
  yield checkServerModel(options);
}
