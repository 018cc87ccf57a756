import { runPlayground } from './run-script.ts';
import { elementAt } from './shared/elements.ts';
import { OPEN_PLAYGROUND, type PlaygroundRequest } from './shared/events.ts';
import { isRecord } from '../text/json.ts';
import { featureSettings } from './shared/feature-settings.ts';
import { load } from './shared/loader.ts';

const TRY_BUTTON = '[data-carrel-operation]';

/**
 * Opens the playground at a click on a `[data-carrel-operation]` button, which names the script with the operation. Nothing is loaded
 * before. The buttons are shown unless the settings turn the playground off.
 */
export function installPlayground(): void {
  const settings = featureSettings(globalThis.__carrel_config, 'playground');
  const isOff = isRecord(settings) && settings['mode'] === 'off';
  for (const button of document.querySelectorAll<HTMLElement>(TRY_BUTTON)) {
    if (isOff) button.remove();
    else button.hidden = false;
  }
  if (isOff) return;
  document.addEventListener('click', (event) => {
    const button = elementAt<HTMLButtonElement>(event, TRY_BUTTON);
    if (button) void open(button);
  });
}

async function open(button: HTMLButtonElement): Promise<void> {
  const file = button.dataset['carrelOperation'] ?? '';
  // Authors can write such an attribute too: it must not load another script.
  if (button.disabled || !/^operation\.[0-9a-f]{16}\.js$/.test(file)) return;
  button.disabled = true;
  const opened = () => {
    button.disabled = false;
    // A disabled button loses the focus, which returns here when the dialog closes.
    button.focus();
  };
  const failed = (error: unknown) => {
    button.disabled = false;
    button.title = `${error instanceof Error ? error.message : String(error)} Reload the page, or export the site again.`;
    button.setAttribute('aria-description', button.title);
  };
  try {
    const [operation] = await Promise.all([load<PlaygroundRequest['operation']>(file), runPlayground()]);
    document.dispatchEvent(new CustomEvent(OPEN_PLAYGROUND, { detail: { operation, opened, failed } }));
  } catch (error) {
    failed(error);
  }
}
