// file:// refuses fetch and module scripts: everything that is loaded later is a classic script that calls a global function with
// one value. The page's own script holds the one loader of a page and hands it to the scripts that it runs (run-script.ts).
import { once } from '../../search/once.ts';

/** URL of the `_carrel` folder, which holds all scripts of an export. */
export const carrelFolder: string = new URL('.', (document.currentScript as HTMLScriptElement).src).href;

const waiting = new Map<Element, (value: unknown) => void>();

// A script does not say its name: the element that is running does. So one function serves all of them.
const receive = (value: unknown) => document.currentScript && waiting.get(document.currentScript)?.(value);
for (const name of ['script', 'site', 'labels', 'pages', 'navigation', 'shard', 'operation', 'version'])
  Object.assign(globalThis, { [`__carrel_${name}`]: receive });

const run = once(
  (file) =>
    new Promise<unknown>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = new URL(file, carrelFolder).href;
      waiting.set(script, resolve);
      script.onload = script.onerror = () => {
        waiting.delete(script);
        script.remove();
        // Has no effect once the script has handed over its value.
        reject(new Error(`${script.src} could not be loaded.`));
      };
      document.head.append(script);
    }),
);

/** The value of a script in the `_carrel` folder. Each script runs once; after a failure the next call tries again. */
export function load<Value>(file: string): Promise<Value> {
  return run(file) as Promise<Value>;
}
