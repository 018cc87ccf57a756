// file:// refuses fetch and module scripts: whatever is loaded later is a classic script that calls a function of ours.

/** Address of the `_carrel` folder, which every script of ours lies in. */
export const carrelFolder: string = new URL('.', (document.currentScript as HTMLScriptElement).src).href;

/** Runs a classic script. Rejects when it cannot be loaded. */
export function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve(script.remove());
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded.`));
    };
    document.head.append(script);
  });
}

/** Runs a classic script that hands one value to the global function `name`. */
export async function loadData<Data>(src: string, name: string): Promise<Data> {
  const taken: Data[] = [];
  (globalThis as unknown as Record<string, (data: Data) => void>)[name] = (data) => taken.push(data);
  await loadScript(src);
  if (taken.length === 0) throw new Error(`${src} did not call ${name}.`);
  return taken[0]!;
}
