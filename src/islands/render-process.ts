// The process that renders components to HTML (sandbox.ts starts it, without files, network and environment). Each is rendered in a context of
// its own, so that none depends on what another left behind. The first line of its input is the runtime; each further one is a request, which one
// line answers, a string of JSON.
import { createInterface } from 'node:readline';
import { constants, createContext, Script } from 'node:vm';
import { jsonLine } from './json-line.ts';

interface Request {
  script: string;
  /** JSON for `__carrel_render`. */
  render: string;
}

// What a component could end if it got at Node's own objects. The sandbox is what keeps it from all else.
Object.assign(process, { kill: undefined, _kill: undefined, abort: undefined });

// A promise that a component leaves rejected would otherwise end the process, and fail the next one.
process.on('unhandledRejection', () => {});

let runtime: Script | undefined;

function answer({ script, render }: Request): string {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' });
  Object.assign(context, { URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, atob, btoa });
  try {
    runtime!.runInContext(context);
    new Script(script, { filename: 'component.js' }).runInContext(context);
    const answered: unknown = new Script(`__carrel_render(${JSON.stringify(render)})`).runInContext(context);
    return typeof answered === 'string' ? answered : 'null';
  } catch (thrown) {
    return JSON.stringify(failureOf(thrown));
  }
}

/** A component can throw anything, such as an object whose getters throw. */
function failureOf(thrown: unknown): object {
  try {
    const { message, stack } = thrown as Error;
    return { error: String(message), ...(typeof stack === 'string' && { stack }) };
  } catch {
    return { error: 'it throws what is not an error' };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const value = JSON.parse(line) as string | Request;
  if (typeof value === 'string') runtime = new Script(value);
  // A component can change what writes JSON in its context, so its answer may have several lines.
  else process.stdout.write(jsonLine(answer(value)));
});
process.stdout.write('ready\n');
