import type { AskContext } from './ask-answer.ts';
import { markedText, offerToAsk } from './ask-page.ts';
import { loadScript } from './load-script.ts';

/** Sent on `document` to open the panel, once its script is there; `detail` is an `AskRequest`. */
export const OPEN_ASK = 'carrel-ask-open';

/** Name in the session's storage of the conversation that stays open beside the pages. */
export const STAYS_OPEN = 'carrel-ask-stays';

export interface AskRequest {
  /** Put into the field; the reader sends it. */
  text?: string;
  /** What the question will be about. */
  about?: AskContext;
  /** From one page to the next: the focus stays where it is. */
  again?: boolean;
}

/**
 * Opens the ask panel by Ctrl+I, Cmd+I, every `[data-carrel-ask]` button, `?assistant` in the address, and from marked text and code
 * blocks. Its script is loaded on first use. Where the settings say that nobody is to ask, the buttons are hidden.
 */
export function installAsk(script: string): void {
  const buttons = document.querySelectorAll<HTMLElement>('[data-carrel-ask]');
  const { __carrel_config: config } = globalThis as { __carrel_config?: { assistant?: { enabled?: unknown } | null } };
  if (config?.assistant?.enabled === false) return buttons.forEach((button) => void (button.hidden = true));
  let loading: Promise<void> | undefined;
  const open = async (detail: AskRequest = {}) => {
    loading ??= loadScript(script);
    loading.catch(() => (loading = undefined));
    await loading;
    document.dispatchEvent(new CustomEvent(OPEN_ASK, { detail }));
  };
  for (const button of buttons) button.addEventListener('click', () => void open());
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'i' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    // Where one writes with formatting, it means italics.
    if (!isShortcut || (event.composedPath()[0] as HTMLElement).isContentEditable) return;
    event.preventDefault();
    void open({ about: markedText() });
  });
  offerToAsk((about) => void open({ about }));
  const text = textInAddress();
  if (text !== undefined) void open({ text });
  else if (staysOpen()) void open({ again: true });
}

/** `?assistant=<text>`, taken out of the address; an opened file keeps its address. */
function textInAddress(): string | undefined {
  const address = new URL(location.href);
  const text = address.searchParams.get('assistant');
  if (text === null || address.protocol === 'file:') return undefined;
  address.searchParams.delete('assistant');
  history.replaceState(history.state, '', address);
  return text.slice(0, 2000);
}

function staysOpen(): boolean {
  try {
    return sessionStorage.getItem(STAYS_OPEN) !== null;
  } catch {
    return false;
  }
}
