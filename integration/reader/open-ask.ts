import type { AskContext } from './ask/answer.ts';
import { markedText } from './ask/selection.ts';
import { buttonAt } from './shared/button-at.ts';
import { loadScript } from './core/load-script.ts';

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

/** What opens the panel at a click. */
export const ASK_BUTTON = '[data-carrel-ask]';

/**
 * Opens the ask panel by Ctrl+I, Cmd+I, every `[data-carrel-ask]` button and `?assistant` in the address. Its script is loaded on first use.
 * Gives a function that opens it; where the settings say that nobody is to ask, the buttons are hidden and it gives nothing.
 */
export function installAsk(script: string): ((request: AskRequest) => void) | undefined {
  const { __carrel_config: config } = globalThis as { __carrel_config?: { assistant?: { enabled?: unknown } | null } };
  if (config?.assistant?.enabled === false) {
    for (const button of document.querySelectorAll<HTMLElement>(ASK_BUTTON)) button.hidden = true;
    return undefined;
  }
  let loading: Promise<void> | undefined;
  const open = async (detail: AskRequest = {}) => {
    loading ??= loadScript(script);
    loading.catch(() => (loading = undefined));
    await loading;
    document.dispatchEvent(new CustomEvent(OPEN_ASK, { detail }));
  };
  document.addEventListener('click', (event) => void (buttonAt(event, ASK_BUTTON) && open()));
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'i' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    // Where one writes with formatting, it means italics.
    if (!isShortcut || (event.composedPath()[0] as HTMLElement).isContentEditable) return;
    event.preventDefault();
    void open({ about: markedText() });
  });
  const text = textInAddress();
  if (text !== undefined) void open({ text });
  else if (staysOpen()) void open({ again: true });
  return (request) => void open(request);
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
