/** What a `carrel.config.js` sets, as far as the server reads it. */
export interface WrittenSettings {
  assistant?: { enabled?: unknown; url?: unknown } | null;
}

/**
 * The settings in the text of a `carrel.config.js`. The file is never run: settings are understood that are written as JSON,
 * `globalThis.__carrel_config = {…};`. Anything else counts as none.
 */
export function readSettings(text: string): WrittenSettings {
  const start = /^[ \t]*(?:globalThis|window|self)\.__carrel_config\s*=/m.exec(text);
  const value = start === null ? '{}' : text.slice(start.index + start[0].length, text.lastIndexOf('}') + 1);
  try {
    const { assistant, ...rest } = JSON.parse(value) as WrittenSettings;
    return typeof assistant === 'object' ? { ...rest, assistant } : rest;
  } catch {
    return {};
  }
}

/**
 * The origin of the assistant that the text of a `carrel.config.js` names, which its pages then may ask; undefined where it names
 * none or one of the same host.
 */
export function assistantOrigin(text: string): string | undefined {
  const { assistant } = readSettings(text);
  const url = assistant?.enabled === false ? undefined : assistant?.url;
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  // A host that would say more than an origin in a policy cannot get through.
  const { origin } = new URL(url);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}
