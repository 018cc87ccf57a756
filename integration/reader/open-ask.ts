import { selectedText } from './ask/selection.ts';
import { runAlone, runScript, sendTo } from './run-script.ts';
import { elementAt } from './shared/elements.ts';
import { OPEN_ASK, type AskRequest, type OpenAsk } from './shared/events.ts';
import { isRecord } from '../text/json.ts';
import { featureSettings } from './shared/feature-settings.ts';
import { openConversation } from './shared/open-conversation.ts';

declare global {
  /** Settings of the host: `carrel.config.js`. */
  var __carrel_config: unknown;
}

/** What opens the panel at a click. */
const ASK_BUTTON = '[data-carrel-ask]';

/**
 * Opens the ask panel by Ctrl+I, Cmd+I, every `[data-carrel-ask]` button and `?assistant` in the URL. Its script is loaded on first use.
 * Returns a function that opens it. Where the settings turn Ask off, it hides the buttons and returns nothing.
 */
export function installAsk(): OpenAsk | undefined {
  if (isOff()) {
    for (const button of document.querySelectorAll<HTMLElement>(ASK_BUTTON)) button.hidden = true;
    return undefined;
  }
  const questions = () => runAlone<typeof import('./ask/questions.ts')>('questions');
  const event = (detail: AskRequest) => new CustomEvent(OPEN_ASK, { detail: { ...detail, questions } });
  const open = (detail: AskRequest = {}) =>
    void sendTo('ask', (text) => event({ ...detail, text: text || undefined }), detail.text);
  document.addEventListener('click', (event) => elementAt(event, ASK_BUTTON) && open());
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'i' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    const target = event.composedPath()[0];
    // In a rich text field, the shortcut means italics.
    if (!isShortcut || (target instanceof HTMLElement && target.isContentEditable)) return;
    event.preventDefault();
    open({ about: selectedText() });
  });
  const text = textInUrl();
  if (text !== undefined) open({ text });
  else if (openConversation() !== null)
    void runScript('ask').then(
      () => document.dispatchEvent(event({ again: true })),
      // No one asked for the panel on this page.
      () => {},
    );
  return open;
}

function isOff(): boolean {
  const assistant = featureSettings(globalThis.__carrel_config, 'assistant');
  return isRecord(assistant) && (assistant['enabled'] === false || assistant['mode'] === 'off');
}

/** `?assistant=<text>`, which is removed from the URL, unless it is that of a file. */
function textInUrl(): string | undefined {
  const url = new URL(location.href);
  const text = url.searchParams.get('assistant');
  if (text === null || url.protocol === 'file:') return undefined;
  url.searchParams.delete('assistant');
  history.replaceState(history.state, '', url);
  return text.slice(0, 2000);
}
