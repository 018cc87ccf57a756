// External URLs in the JSON of pages: import maps, speculation rules, web manifests, properties of islands.
import type { Load } from '../html/load.ts';
import { outsideAddress } from '../urls/external-url.ts';

type Found = Omit<Load, 'start' | 'url'>;

/** Modules that an import map loads from external origins. */
export function importMapLoads(text: string, start: number): Load[] {
  const map = parse(text);
  const tables = [map?.imports, ...Object.values(objectOf(map?.scopes))].map(objectOf);
  const addresses = tables.flatMap((table) => Object.values(table)).filter((value) => typeof value === 'string');
  return loadsIn(text, start, addresses, { element: 'script type=importmap', kind: 'script', static: true });
}

/** Pages of external origins that speculation rules prefetch. */
export function speculationLoads(text: string, start: number): Load[] {
  const rules = Object.values(parse(text) ?? {}).flatMap((list) => (Array.isArray(list) ? list : []));
  const addresses = rules
    .flatMap((rule) => (Array.isArray(rule?.urls) ? rule.urls : []))
    .filter((url) => typeof url === 'string');
  return loadsIn(text, start, addresses, { element: 'script type=speculationrules', kind: 'hint', static: true });
}

/** Icons and screenshots that a web manifest loads from external origins. */
export function manifestLoads(text: string): Load[] {
  const manifest = parse(text);
  const lists = [
    manifest?.icons,
    manifest?.screenshots,
    ...listOf(manifest?.shortcuts).map((shortcut) => objectOf(shortcut).icons),
  ];
  const addresses = lists.flatMap(listOf).flatMap((image) => {
    const { src } = objectOf(image);
    return typeof src === 'string' ? [src] : [];
  });
  return loadsIn(text, 0, addresses, { element: 'manifest icon', kind: 'image', static: true });
}

const loadable = /\.(?:avif|gif|jpe?g|png|svg|webp|mp4|webm|mp3|ogg|m?js|css|json|woff2?|vtt|glb)(?:[?#]|$)/i;

/** Files of external origins in the properties of an island; only its code knows whether it loads them. */
export function islandLoads(props: string, start: number): Load[] {
  const addresses: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && loadable.test(value)) addresses.push(value);
    else if (typeof value === 'object' && value !== null && depth < 30)
      for (const item of Object.values(value)) walk(item, depth + 1);
  };
  if (props.includes('//')) walk(parse(props), 0);
  return [...new Set(addresses)].flatMap((address): Load[] => {
    const url = outsideAddress(address);
    return url
      ? [{ element: 'astro-island props', kind: 'connection', address, url, start, static: false, rewritable: false }]
      : [];
  });
}

function loadsIn(text: string, start: number, addresses: string[], found: Omit<Found, 'address' | 'rewritable'>): Load[] {
  return [...new Set(addresses)].flatMap((address): Load[] => {
    const url = outsideAddress(address);
    // If the JSON escapes the URL, its position is the start of the JSON.
    return url ? [{ ...found, address, url, rewritable: false, start: start + Math.max(0, text.indexOf(address)) }] : [];
  });
}

// Browsers ignore invalid JSON.
function parse(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
