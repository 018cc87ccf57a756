// node pausing-exporter.ts STAGE MARKER export …: the real exporter, which stands still where a stage begins, for the first time.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Progress } from '../../../integration/export-messages.ts';

const [stage, marker, ...args] = process.argv.slice(2);
const program = fileURLToPath(new URL('../../../src/cli/carrel.ts', import.meta.url));
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
  stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
});
child.once('exit', (code) => process.exit(code ?? 1));
// One that stands still does not hear that its server is gone.
process.stdin.once('end', () => child.kill('SIGKILL')).resume();
for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
  if ((JSON.parse(line) as Progress).stage === stage && !existsSync(marker!)) {
    child.kill('SIGSTOP');
    writeFileSync(marker!, '');
  }
  writeSync(3, `${line}\n`);
}
