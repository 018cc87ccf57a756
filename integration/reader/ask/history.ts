import { isRecord } from '../shared/is-record.ts';
import type { AskMessage, AskSource, AskThread } from './answer.ts';

/** A message and what the screen shows with it. */
export interface StoredMessage extends AskMessage {
  /** Names of its context. */
  about?: string[];
  sources?: AskSource[];
  /** Who answered. */
  by?: 'server' | 'quotes';
  /** Why it is incomplete; `stopped` by the reader. */
  fault?: string;
  rating?: 'up' | 'down';
}

export interface Conversation {
  id: string;
  messages: StoredMessage[];
  thread?: AskThread;
}

const most = 20;
const mostMessages = 100;

/**
 * The conversations of a site, latest first, in the browser's storage under a name of their own; at most twenty. Where storage is
 * blocked or full, fewer are remembered, or none.
 */
export function askHistory(storage: () => Storage, name: string) {
  const write = (conversations: Conversation[]): void => {
    try {
      if (conversations.length === 0) storage().removeItem(name);
      else storage().setItem(name, JSON.stringify(conversations));
    } catch {
      // Where storage is full, the older half is dropped; where it is blocked, nothing is stored in the end.
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
    store(conversation: Conversation): void {
      const shortened = { ...conversation, messages: conversation.messages.slice(-mostMessages) };
      write([shortened, ...read().filter(({ id }) => id !== conversation.id)].slice(0, most));
    },
    clear: () => write([]),
  };
}

/** An id for a conversation, a message or a visitor: 128 random bits. `crypto.randomUUID` does not exist on plain http. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Id of this browser, which separates its conversations from others; `anonymous` where nothing can be stored. */
export function fingerprint(storage: () => Storage): string {
  const name = 'carrel-ask-fp';
  try {
    const known = storage().getItem(name);
    if (known && /^[0-9a-f]{32}$/.test(known)) return known;
    const fresh = randomId();
    storage().setItem(name, fresh);
    return fresh;
  } catch {
    return 'anonymous';
  }
}

function isConversation(value: unknown): value is Conversation {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  return Array.isArray(value['messages']) && value['messages'].every(isMessage);
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || typeof value['id'] !== 'string' || typeof value['text'] !== 'string') return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}
