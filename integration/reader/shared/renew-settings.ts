import { carrelFolder } from './loader.ts';

let renewing: Promise<void> | undefined;

/** Runs `carrel.config.js` again: a server writes new tokens into it. The settings stay as they are if it cannot be loaded. */
export function renewSettings(): Promise<void> {
  renewing ??= new Promise<void>((resolve) => {
    const before = globalThis.__carrel_config;
    const script = document.createElement('script');
    // Some hosts cache the file without asking the server, but not with another query.
    script.src = new URL(`../carrel.config.js?${Date.now()}`, carrelFolder).href;
    const end = () => {
      script.remove();
      renewing = undefined;
      resolve();
    };
    script.addEventListener('load', () => {
      // A file without settings leaves those of before.
      if (globalThis.__carrel_config === before) globalThis.__carrel_config = undefined;
      end();
    });
    script.addEventListener('error', end);
    document.head.append(script);
  });
  return renewing;
}
