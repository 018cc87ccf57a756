// file:// refuses fetch and module scripts: whatever is loaded later is a classic script that calls a function of ours.

/** Address of the `_carrel` folder, which every script of ours lies in. */
export const carrelFolder: string = new URL('.', (document.currentScript as HTMLScriptElement).src).href;

/** Runs a classic script. Rejects when it cannot be loaded. */
export async function loadScript(src: string): Promise<void> {
  await runScript(src);
}

/** Runs a classic script that hands one value to the global function `name`. */
export async function loadData<Data>(src: string, name: string): Promise<Data> {
  // Search and Ask are two scripts of one page, and the function that was set last is called for both: the element holds the value.
  const globals = globalThis as unknown as Record<string, (data: Data) => void>;
  globals[name] = (data) => Object.assign(document.currentScript!, { carrelData: [data] });
  const { carrelData } = (await runScript(src)) as HTMLScriptElement & { carrelData?: [Data] };
  if (!carrelData) throw new Error(`${src} did not call ${name}.`);
  return carrelData[0];
}

function runScript(src: string): Promise<HTMLScriptElement> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => {
      script.remove();
      resolve(script);
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded.`));
    };
    document.head.append(script);
  });
}
