import type { AskMessage, AskSource, AskThread } from './answer.ts';

/** A message with what belongs to it on the screen. */
export interface KeptMessage extends AskMessage {
  /** Names of what the reader marked for it. */
  about?: string[];
  sources?: AskSource[];
  /** Who answered. */
  by?: 'server' | 'quotes';
  /** Why it has no end; `stopped` by the reader. */
  fault?: string;
  rating?: 'up' | 'down';
}

export interface Conversation {
  id: string;
  messages: KeptMessage[];
  thread?: AskThread;
}

const most = 20;
const mostMessages = 100;

/**
 * The conversations of a site, latest first, in the browser's storage under a name of their own; at most twenty. Storage may be
 * refused or full: then there is less to remember, or nothing.
 */
export function askHistory(storage: () => Storage, name: string) {
  const write = (conversations: Conversation[]): void => {
    try {
      if (conversations.length === 0) storage().removeItem(name);
      else storage().setItem(name, JSON.stringify(conversations));
    } catch {
      // Full: the older half makes room. Refused: it ends with nothing.
      if (conversations.length > 1) write(conversations.slice(0, Math.ceil(conversations.length / 2)));
    }
  };
  const read = (): Conversation[] => {
    try {
      const stored: unknown = JSON.parse(storage().getItem(name) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isConversation) : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    keep(conversation: Conversation): void {
      const kept = { ...conversation, messages: conversation.messages.slice(-mostMessages) };
      write([kept, ...read().filter(({ id }) => id !== conversation.id)].slice(0, most));
    },
    clear: () => write([]),
  };
}

/** A name for a conversation or a message, or for a visitor: 128 random bits. `crypto.randomUUID` is not there on plain http. */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Tells this browser's conversations from others; `anonymous` where nothing can be kept. */
export function fingerprint(storage: () => Storage): string {
  const name = 'carrel-ask-fp';
  try {
    const known = storage().getItem(name);
    if (known && /^[0-9a-f]{32}$/.test(known)) return known;
    const fresh = randomName();
    storage().setItem(name, fresh);
    return fresh;
  } catch {
    return 'anonymous';
  }
}

function isConversation(value: unknown): value is Conversation {
  const { id, messages } = (value ?? {}) as Partial<Conversation>;
  return (
    typeof id === 'string' &&
    Array.isArray(messages) &&
    messages.every(
      (message) =>
        typeof message?.id === 'string' && typeof message.text === 'string' && /^(?:user|assistant)$/.test(message.role),
    )
  );
}
