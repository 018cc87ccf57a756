import { isRecord } from '../text/json.ts';
import { runAlone } from './run-script.ts';
import { featureSettings, ownAnalytics } from './shared/feature-settings.ts';

/** What the settings say about web analytics; undefined on file://, where there are none. */
export function analyticsSettings(): Record<string, unknown> | undefined {
  const settings = featureSettings(globalThis.__carrel_config, 'analytics');
  return location.protocol === 'file:' || !isRecord(settings) ? undefined : settings;
}

/**
 * What starts to record what the reader does, for the site's own analytics; undefined where the settings turn them off, or the browser asks
 * not to be tracked. Readers are only asked where the settings say so, since nothing is stored on their device.
 */
export function recordingOf(): (() => void) | undefined {
  const { url, domain } = ownAnalytics(globalThis.__carrel_config) ?? {};
  if (typeof url !== 'string' || typeof domain !== 'string') return undefined;
  const { doNotTrack, globalPrivacyControl } = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean };
  if (doNotTrack === '1' || globalPrivacyControl === true) return undefined;
  const events = `${url.replace(/\/+$/, '')}/v1/events/${encodeURIComponent(domain)}`;
  if (!URL.canParse(events, location.href)) return undefined;
  return () => {
    // Without the script the page is as readable.
    runAlone<typeof import('./analytics/record.ts')>('record').then(
      // Not the key of the assistant, which may be on another server.
      ({ record }) => record(new URL(events, location.href).href, analyticsSettings()?.['key']),
      () => {},
    );
  };
}

/** Starts the site's own analytics, once the reader has agreed where the settings say so. */
export function installRecording(): void {
  const settings = analyticsSettings();
  const start = settings && recordingOf();
  if (!start) return;
  if (settings['consent'] !== 'required') return start();
  runAlone<typeof import('./analytics/consent.ts')>('consent').then(
    ({ askConsent }) => askConsent({ names: [], allowed: start, declined() {} }),
    () => {},
  );
}
