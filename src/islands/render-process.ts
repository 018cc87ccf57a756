// The process that renders components to HTML (sandbox.ts starts it, without files, network and environment). Each is rendered in a context of
// its own, so that none depends on what another left behind. The first line of its input is the runtime; each further one is a request, which one
// line answers.
import { createInterface } from 'node:readline';
import { constants, createContext, Script } from 'node:vm';

interface Request {
  script: string;
  /** JSON for `__carrel_render`. */
  render: string;
  milliseconds: number;
}

// Components do not reach Node's own objects, and these are all that they could end.
Object.assign(process, { kill: undefined, _kill: undefined, abort: undefined });

let runtime: Script | undefined;

function answer({ script, render, milliseconds }: Request): string {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' });
  Object.assign(context, { URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, atob, btoa });
  const limits = { timeout: milliseconds };
  try {
    runtime!.runInContext(context, limits);
    new Script(script, { filename: 'component.js' }).runInContext(context, limits);
    return String(new Script(`__carrel_render(${JSON.stringify(render)})`).runInContext(context, limits));
  } catch (error) {
    const { code, message, stack } = error as NodeJS.ErrnoException;
    return JSON.stringify(code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? { timeout: true } : { error: String(message), stack });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const value = JSON.parse(line) as string | Request;
  if (typeof value === 'string') runtime = new Script(value);
  else process.stdout.write(`${answer(value)}\n`);
});
