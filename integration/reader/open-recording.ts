import { isRecord } from '../text/json.ts';
import { runAlone } from './run-script.ts';
import { analyticsAllowed } from './shared/analytics-allowed.ts';
import { featureSettings } from './shared/feature-settings.ts';

/** Loads the site's own analytics, where the settings turn them on and the reader allows it. Otherwise nothing is loaded. */
export function installRecording(): void {
  const settings = featureSettings(globalThis.__carrel_config, 'analytics');
  if (!isRecord(settings) || (settings['mode'] !== 'own' && settings['mode'] !== 'both')) return;
  const assistant = featureSettings(globalThis.__carrel_config, 'assistant');
  // Without a URL, the server is that of the assistant.
  const { url, domain } = { ...(isRecord(assistant) ? assistant : {}), ...settings } as Record<string, unknown>;
  if (typeof url !== 'string' || typeof domain !== 'string' || !analyticsAllowed(settings)) return;
  const events = `${url.replace(/\/+$/, '')}/v1/events/${encodeURIComponent(domain)}`;
  if (!URL.canParse(events, location.href)) return;
  // Without the script the page is as readable.
  runAlone<typeof import('./analytics/record.ts')>('record').then(
    ({ record }) => record(new URL(events, location.href).href),
    () => {},
  );
}
