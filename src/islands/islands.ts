// Components of a docs folder that its author trusts: rendered to HTML here, in a process of their own, and made to work in the reader's browser
// by their scripts. Such a piece of a page is an island.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CompiledIsland, definitionLine, placeOf } from './compile.ts';
import type { IslandAnswer, IslandRequest } from './runtime/build.ts';
import { openSandbox, SandboxError, type Sandbox } from './sandbox.ts';

export interface Islands {
  /** Whether the components of a file were compiled. */
  has(file: string): boolean;
  render(island: Island): Promise<RenderedIsland>;
  /** Words in the script that can be classes of what it shows. */
  words(file: string): string[];
}

interface Island {
  /** The file of the docs folder that defines the component. */
  file: string;
  /** Its exported name. */
  name: string;
  /** Plain JSON. */
  props: Record<string, unknown>;
  /** HTML of its content, by the name of the prop. */
  slots: Record<string, string>;
}

interface RenderedIsland {
  /** The id of its script; undefined if the component does nothing in a browser, or must not run there either. */
  script?: string;
  /** Undefined when it failed. */
  html?: string;
  /** The slots that `html` shows. */
  shown: string[];
  /** 'clock' and 'random', if the component reads them. */
  reads: string[];
  failure?: { message: string; file: string; line?: number };
}

interface IslandsOptions {
  /** By file. */
  compiled: ReadonlyMap<string, CompiledIsland>;
  /** Text of the script `runtime/build.ts`. */
  runtime: string;
}

const program = fileURLToPath(new URL(`render-process${import.meta.url.slice(-3)}`, import.meta.url));
const limits = { seconds: 3, memoryMb: 512 };
const mostCharacters = 2_000_000;

const longestMessage = 500;

// A component can change anything in its context, the program that answers included.
const answerSchema: z.ZodType<IslandAnswer> = z.union([
  z.strictObject({
    html: z.string(),
    isLive: z.boolean(),
    shown: z.array(z.string()),
    reads: z.array(z.enum(['clock', 'random'])),
  }),
  z.object({ error: z.string(), stack: z.string().optional() }),
]);
const tooLong = { error: `its HTML has more than ${mostCharacters} characters` };
const notAnAnswer = { error: 'it changes what renders it' };

/** Runs code as components run. Throws what `checkSandbox` throws, or why there is no answer. */
export async function tryComponents(): Promise<void> {
  const sandbox = openSandbox({ program, first: 'globalThis.__carrel_render = (text) => text;', limits });
  try {
    await sandbox.ask({ script: '', render: '' });
  } finally {
    sandbox.close();
  }
}

/** Opens the islands of a site; their process starts with the first of them. */
export function openIslands({ compiled, runtime }: IslandsOptions): Islands & Pick<Sandbox, 'close'> {
  const sandbox = openSandbox({ program, first: runtime, limits });
  const words = new Map<string, string[]>();

  async function answerOf({ script }: CompiledIsland, request: IslandRequest): Promise<IslandAnswer> {
    try {
      const answer = await sandbox.ask({ script, render: JSON.stringify(request) });
      if (answer.length > 2 * mostCharacters) return tooLong;
      const text: unknown = JSON.parse(answer);
      if (typeof text === 'string' && text.length > mostCharacters) return tooLong;
      const { success, data } = answerSchema.safeParse(JSON.parse(String(text)));
      return success ? data : notAnAnswer;
    } catch (error) {
      if (error instanceof SandboxError) return { error: error.message, stack: 'ended' };
      if (error instanceof SyntaxError) return notAnAnswer;
      throw error;
    }
  }

  return {
    has: (file) => compiled.has(file),
    words(file) {
      let known = words.get(file);
      if (known === undefined) words.set(file, (known = [...new Set(compiled.get(file)?.script.match(/[^\s'"`<>={}\\;]+/g))]));
      return known;
    },
    async render({ file, name, props, slots }) {
      const island = compiled.get(file)!;
      const answer = await answerOf(island, { name, props, slots });
      if ('html' in answer) {
        const { html, isLive, shown, reads } = answer;
        return { ...(isLive && { script: island.id }), html, shown, reads };
      }
      const { error: message } = answer;
      const isEnded = answer.stack === 'ended';
      const place = !isEnded && answer.stack !== undefined ? placeOf(answer.stack, island) : undefined;
      const failure = { message: message.slice(0, longestMessage), ...(place ?? { file, line: definitionLine(island, name) }) };
      // What never ends would stop the reader's browser, too; what lacks a browser here works there.
      return { ...(!isEnded && { script: island.id }), shown: [], reads: [], failure };
    },
    close: sandbox.close,
  };
}
