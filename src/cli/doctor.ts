import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExportError } from '../../integration/errors.ts';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { shown } from '../../integration/text/escape.ts';
import { examine, fail, ok, warn, type Finding } from '../../server/health/doctor/finding.ts';
import { tryComponents } from '../islands/islands.ts';
import { storedAdminKey } from './api-client.ts';
import { configOptions } from './config-option.ts';
import { loadDoctor } from './server-modules.ts';
import { flag, defineCommand } from './usage.ts';

const options = {
  ...configOptions,
  json: flag('Print the findings as JSON'),
};

/** `carrel doctor`: its options and how it is used. */
export const command = defineCommand({
  usage: 'doctor',
  summary: 'Check whether the server can run on this machine, and suggest fixes. Changes nothing.',
  options,
  examples: [
    ['doctor', 'Check this machine'],
    ['doctor --config carrel.json', 'Check with the options of the server'],
    ['doctor --json', 'Print the findings for a program'],
  ],
  /** Exit code 1 when anything fails. */
  async run({ options: { config, json } }) {
    const environment = { ...process.env, ...(config === undefined ? {} : { CARREL_CONFIG: resolve(config) }) };
    const findings: Finding[] = [];
    for await (const finding of everything(environment)) {
      findings.push(finding);
      if (!json) console.log(line(finding));
    }
    const failed = findings.filter(({ state }) => state === 'fail').length;
    if (json) console.log(JSON.stringify({ ok: failed === 0, findings }, null, 2));
    else
      console.log(
        failed === 0
          ? '\nThe server can run on this machine.'
          : `\nThe server cannot run on this machine yet: ${failed} failed. See the hint below each "fail".`,
      );
    return failed === 0 ? 0 : 1;
  },
});

async function* everything(environment: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const { examineServer } = await loadDoctor();
  yield* examineServer(environment, Date.now, (data) => environment.CARREL_KEY?.trim() || storedAdminKey(data));
  yield checkSandbox();
  yield checkExporter(environment);
}

function line({ check, state, message, next }: Finding): string {
  const indent = ' '.repeat(22);
  return shown(`${state.padEnd(6)}${check.padEnd(16)}${message}${next ? `\n${indent}${next}` : ''}`);
}

/** Exports one page like a job: with this program, in a separate process. */
function checkExporter(environment: NodeJS.ProcessEnv): Promise<Finding> {
  return examine('exporter', 60, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carrel-doctor-'));
    try {
      mkdirSync(join(folder, 'docs'));
      writeFileSync(join(folder, 'docs/index.md'), '# A page\n\nSome words.\n');
      const program = fileURLToPath(import.meta.url.replace(/doctor(\.[jt]s)$/, 'carrel$1'));
      const args = ['--disable-warning=ExperimentalWarning', program, 'export', 'docs', '--out', 'site', '--cache', 'off'];
      await promisify(execFile)(process.execPath, args, { cwd: folder, env: environment, timeout: 55_000 });
      const [problem] = await verifyBundle(join(folder, 'site'));
      return problem
        ? fail(`The export of a page is incomplete: ${problem.message}`, 'Reinstall Carrel.')
        : ok('A page was exported');
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      return fail(
        `A page could not be exported: ${(stderr || message).trim()}`,
        'Reinstall Carrel. If that does not help, report the error.',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** The process in which the components of trusted docs run. */
function checkSandbox(): Promise<Finding> {
  return examine('sandbox', 70, async () => {
    try {
      await tryComponents();
      return ok('Components of trusted docs can run, without a network and files');
    } catch (error) {
      const { message, hint = 'Reinstall Carrel. If that does not help, report the error.' } = error as ExportError;
      return warn(message, `${hint} Only sites with trusted components need it.`);
    }
  });
}
