// The script that loads analytics providers. Air-gapped exports do not contain it.
import { providersOf, type Provider } from '../shared/analytics-providers.ts';

export interface OpenedProviders {
  names: string[];
  /** Adds their scripts to the page. */
  load(): void;
  /** Removes what they have stored in this browser, as far as it is known. */
  forget(): void;
}

export function openProviders(settings: unknown): OpenedProviders {
  const providers = providersOf(settings);
  return {
    names: providers.map(({ name }) => name),
    load: () => load(providers),
    forget: () => providers.forEach(({ stores }) => stores && forget(stores)),
  };
}

function load(providers: Provider[]): void {
  const globals = new Map<string, unknown[]>();
  for (const { globals: own } of providers)
    for (const [name, calls] of Object.entries(own?.() ?? {})) {
      const before = globals.get(name);
      // Both of Google's scripts read the same list.
      if (before) before.push(...calls);
      else globals.set(name, calls);
    }
  Object.assign(globalThis, Object.fromEntries(globals));
  for (const { script } of providers) {
    const element = document.createElement('script');
    for (const [name, value] of Object.entries(script.attributes ?? {})) element.setAttribute(name, value);
    element.src = script.src;
    document.head.append(element);
  }
}

function forget(pattern: RegExp): void {
  const parts = location.hostname.split('.');
  const domains = parts.map((_, index) => `;domain=${parts.slice(index).join('.')}`);
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.replace(/=.*/s, '').trim();
    if (pattern.test(name)) for (const domain of ['', ...domains]) document.cookie = `${name}=;path=/;max-age=0${domain}`;
  }
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (pattern.test(key)) storage.removeItem(key);
  } catch {
    // The browser blocks storage, so nothing is in it.
  }
}
