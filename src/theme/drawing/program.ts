// The process that draws diagrams for an export: node program.cjs MERMAID-SCRIPT. It gets sources as messages, and answers each.
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { createDrawer, type MermaidScript } from './draw.ts';

// The same source gives the same drawing.
const now = Date.UTC(2024, 0, 1);
globalThis.Date = class extends Date {
  constructor(...given: []) {
    super(...((given.length === 0 ? [now] : given) as []));
  }
  static override now = () => now;
} as DateConstructor;
let state = 0;
Math.random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};

const script: Partial<MermaidScript> = {};
Object.assign(globalThis, { __carrel_script: (run: (exports: object) => void) => run(script) });
runInThisContext(readFileSync(process.argv[2] ?? '', 'utf8'));
const draw = createDrawer(script as MermaidScript);

process.on('message', ({ source }: { source: string }) => {
  state = 1;
  void draw(source).then((drawing) => process.send!(drawing));
});
process.on('disconnect', () => process.exit());
