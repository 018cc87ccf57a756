// What `carrel.config.js` says of the assistant: `globalThis.__carrel_config = { "assistant": { … } };`

/** Settings of the assistant in `carrel.config.js`. All of them may be left out: then the panel quotes the docs. */
export interface AssistantConfig {
  /**
   * Whether the page offers to ask at all.
   * @default true
   */
  enabled?: boolean;
  /** Base address of the assistant's API, without `/v2`: 'https://docs-api.example/discovery', or '/discovery' of the same host. */
  url?: string;
  /** The site's name there. */
  domain?: string;
  /** An assistant key (`svc_dsc_…`), which everybody may read. */
  key?: string;
  /** Questions to begin with; three are shown. */
  suggestions?: string[];
}

/** A server that answers. */
export interface AskServer {
  /** Address that messages go to is `<url>/v2/assistant/<domain>/message`. */
  url: string;
  domain: string;
  key: string | undefined;
}

export interface AskSettings {
  enabled: boolean;
  /** Absent: answers quote the docs. */
  server: AskServer | undefined;
  suggestions: string[];
}

/** Reads `__carrel_config`. What is of a wrong shape counts as left out, and is told to `tell`; an opened file has no server. */
export function askSettings(config: unknown, place: string, tell: (fault: string) => void): AskSettings {
  const assistant = isRecord(config) ? config['assistant'] : undefined;
  const quoting: AskSettings = { enabled: true, server: undefined, suggestions: [] };
  if (assistant === undefined || assistant === null) return quoting;
  if (!isRecord(assistant)) {
    tell(`carrel.config.js: "assistant" must be an object, but is ${JSON.stringify(assistant)}. The docs are quoted instead.`);
    return quoting;
  }
  const { enabled = true, suggestions = [] } = assistant;
  if (typeof enabled !== 'boolean')
    tell(`carrel.config.js: assistant.enabled must be true or false, but is ${JSON.stringify(enabled)}.`);
  const areQuestions = Array.isArray(suggestions) && suggestions.every((question) => typeof question === 'string');
  if (!areQuestions) tell('carrel.config.js: assistant.suggestions must be a list of texts.');
  return {
    enabled: enabled !== false,
    server: serverOf(assistant, place, tell),
    suggestions: areQuestions
      ? suggestions
          .map((question) => question.trim())
          .filter(Boolean)
          .slice(0, 3)
      : [],
  };
}

function serverOf(
  { url, domain, key }: Record<string, unknown>,
  place: string,
  tell: (fault: string) => void,
): AskServer | undefined {
  // Other sites refuse what an opened file asks, and a copy that was handed on shall ask nobody.
  if (url === undefined || url === null || url === '' || place.startsWith('file:')) return undefined;
  const address = typeof url === 'string' && URL.canParse(url, place) ? new URL(url, place) : undefined;
  const faults = [
    !/^https?:$/.test(address?.protocol ?? '') && `assistant.url must be an http(s) address, but is ${JSON.stringify(url)}`,
    !(typeof domain === 'string' && /^[\w.-]+$/.test(domain)) &&
      `assistant.domain must be a site's name, but is ${JSON.stringify(domain)}`,
    key !== undefined && typeof key !== 'string' && 'assistant.key must be a text',
    typeof key === 'string' &&
      /^svc_(?!dsc_)/.test(key) &&
      'assistant.key is an admin key, which nobody must be able to read: revoke it, and take one that begins with svc_dsc_',
  ].filter((fault) => fault !== false);
  for (const fault of faults) tell(`carrel.config.js: ${fault}. The docs are quoted instead.`);
  if (faults.length > 0) return undefined;
  return {
    url: address!.href.replace(/[?#].*$|\/+$/g, ''),
    domain: domain as string,
    key: (key as string | undefined) || undefined,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
