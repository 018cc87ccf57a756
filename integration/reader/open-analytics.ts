import { analyticsSettings, installRecording, recordingOf } from './open-recording.ts';
import { runAlone } from './run-script.ts';

/** Starts the web analytics that the settings turn on, the site's own and those of providers, once the reader has agreed where they say so. */
export function installAnalytics(): void {
  const settings = analyticsSettings();
  if (!settings) return;
  const { mode, consent } = settings;
  if (mode !== 'providers' && mode !== 'both') return installRecording();
  const record = recordingOf();
  if (consent !== 'required') record?.();
  openProviders(settings, consent === 'required' ? record : undefined).catch((error: unknown) => console.warn(error));
}

/** Loads the providers. What records for the site itself waits for the same consent. */
async function openProviders(settings: Record<string, unknown>, record: (() => void) | undefined): Promise<void> {
  const { openProviders } = await runAlone<typeof import('./analytics/providers.ts')>('providers');
  const { names, load, forget } = openProviders(settings);
  if (names.length === 0 && !record) return;
  if (settings['consent'] === 'none') return load();
  const { askConsent } = await runAlone<typeof import('./analytics/consent.ts')>('consent');
  const allowed = () => {
    load();
    record?.();
  };
  askConsent({ names, allowed, declined: forget });
}
