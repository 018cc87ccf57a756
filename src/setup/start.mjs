// `npm start`: the manual, exported and served.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';

const { node, root } = prepare();
const child = spawn(node, ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('src/setup/start-manual.ts', root))], {
  stdio: 'inherit',
  cwd: fileURLToPath(root),
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
