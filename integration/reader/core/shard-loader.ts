import type { Load } from '../../search/index.ts';

interface Shard {
  text: Promise<string>;
  receive(text: string): void;
}

type Globals = { __carrel_shards?: Map<string, Shard>; __carrel_shard?: (text: string) => void };
const globals = globalThis as unknown as Globals;

// By the URL of the script. Search and Ask are two scripts of one page, and a shard calls the `__carrel_shard` that was set last:
// with one map for both, each script receives what the other one waits for, and no file is loaded twice.
const shards = (globals.__carrel_shards ??= new Map());

/** Loads files of a search index: classic scripts that call `__carrel_shard(text)`. */
export function shardLoader(folder: string): Load {
  globals.__carrel_shard = receive;
  return (name) => {
    const src = `${folder}/${name}.js`;
    const shard = shards.get(src) ?? loadShard(src);
    shards.set(src, shard);
    return shard.text;
  };
}

function loadShard(src: string): Shard {
  let receive!: Shard['receive'];
  const text = new Promise<string>((resolve, reject) => {
    receive = resolve;
    const script = document.createElement('script');
    script.src = src;
    const end = () => {
      script.remove();
      // Does nothing once the text has come.
      reject(new Error(`${src} could not be loaded.`));
    };
    script.onload = end;
    script.onerror = end;
    document.head.append(script);
  });
  text.catch(() => shards.delete(src));
  return { text, receive };
}

// A shard does not say its name: the script that runs tells which one it is.
function receive(text: string): void {
  shards.get((document.currentScript as HTMLScriptElement).src)?.receive(text);
}
