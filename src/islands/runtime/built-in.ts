// Our own components, as the components of a docs folder use them.

/** An icon that a component shows: its key in the parts, its name and its type. */
export type AskedPart = [key: string, name: string, type: string | undefined];

export const builtIn: Record<string, unknown> = {};

let parts: Record<string, string> = {};
const missing = new Map<string, AskedPart>();

/** Adds icons, by their keys. */
export function provide(more: object): void {
  parts = { ...parts, ...(more as Record<string, string>) };
}

/** The icons that were asked for and are not there. */
export function missingParts(): AskedPart[] {
  return [...missing.values()];
}
