import type { Load } from '../search/index.ts';

type Receiver = (text: string) => void;

const waiting = new Map<Element, Receiver>();

/** Loads files of a search index: classic scripts that call `__carrel_shard(text)`. */
export function shardLoader(folder: string): Load {
  (globalThis as unknown as { __carrel_shard: Receiver }).__carrel_shard = receive;
  return (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${folder}/${name}.js`;
      waiting.set(script, resolve);
      const end = () => {
        waiting.delete(script);
        script.remove();
        // Does nothing once the text has come.
        reject(new Error(`${script.src} could not be loaded.`));
      };
      script.onload = end;
      script.onerror = end;
      document.head.append(script);
    });
}

// A shard does not say its name: the script that runs tells which one it is.
function receive(text: string): void {
  waiting.get(document.currentScript as Element)?.(text);
}
