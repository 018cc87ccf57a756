import { isRecord } from '../text/json.ts';
import { runAlone } from './run-script.ts';
import { featureSettings } from './shared/feature-settings.ts';

/** What the settings say about web analytics; undefined on file://, where there are none. */
export function analyticsSettings(): Record<string, unknown> | undefined {
  const settings = featureSettings(globalThis.__carrel_config, 'analytics');
  return location.protocol === 'file:' || !isRecord(settings) ? undefined : settings;
}

/**
 * What starts to record what the reader does, for the site's own analytics; undefined where the settings turn them off, or the browser asks
 * not to be tracked. Readers are only asked where the settings say so, since nothing is stored on their device.
 */
export function recordingOf(settings: Record<string, unknown>): (() => void) | undefined {
  if (settings['mode'] !== 'own' && settings['mode'] !== 'both') return undefined;
  const { doNotTrack, globalPrivacyControl } = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean };
  if (doNotTrack === '1' || globalPrivacyControl === true) return undefined;
  const assistant = featureSettings(globalThis.__carrel_config, 'assistant');
  // Without a URL, the server is that of the assistant.
  const { url, domain } = { ...(isRecord(assistant) ? assistant : {}), ...settings } as Record<string, unknown>;
  if (typeof url !== 'string' || typeof domain !== 'string') return undefined;
  const events = `${url.replace(/\/+$/, '')}/v1/events/${encodeURIComponent(domain)}`;
  if (!URL.canParse(events, location.href)) return undefined;
  return () => {
    // Without the script the page is as readable.
    runAlone<typeof import('./analytics/record.ts')>('record').then(
      ({ record }) => record(new URL(events, location.href).href),
      () => {},
    );
  };
}

/** Starts the site's own analytics, once the reader has agreed where the settings say so. */
export function installRecording(): void {
  const settings = analyticsSettings();
  const start = settings && recordingOf(settings);
  if (!start) return;
  if (settings['consent'] !== 'required') return start();
  runAlone<typeof import('./analytics/consent.ts')>('consent').then(
    ({ askConsent }) => askConsent({ names: [], allowed: start, declined() {} }),
    () => {},
  );
}
