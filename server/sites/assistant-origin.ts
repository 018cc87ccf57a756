/**
 * The origin of the assistant that the text of a `carrel.config.js` names, which its pages then may ask; undefined where it names
 * none or one of the same host. The file is never run: settings are understood that are written as JSON,
 * `globalThis.__carrel_config = {…};`.
 */
export function assistantOrigin(settings: string): string | undefined {
  const [, json] = /^\s*(?:globalThis|window|self)\.__carrel_config\s*=\s*(\{.*\})\s*;?\s*$/ms.exec(settings) ?? [];
  try {
    const { assistant } = JSON.parse(json ?? '{}') as { assistant?: { enabled?: unknown; url?: unknown } | null };
    const url = assistant?.enabled === false ? undefined : assistant?.url;
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return undefined;
    // A host that would say more than an origin in a policy cannot get through.
    const { origin } = new URL(url);
    return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
  } catch {
    return undefined;
  }
}
