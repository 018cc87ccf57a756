import { carrelFolder } from './loader.ts';

/** The reader's choice in the browser's storage: `allowed` or `declined`. Several sites may share an origin. */
const choice = () => `carrel-analytics ${new URL(carrelFolder).pathname}`;

/**
 * Whether the page may record what its reader does, with these settings of `features.analytics`: not on file://, not where the browser
 * asks not to be tracked, and only with consent where that is required.
 */
export function analyticsAllowed(settings: Record<string, unknown>): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean };
  if (location.protocol === 'file:' || doNotTrack === '1' || globalPrivacyControl === true) return false;
  if (settings['consent'] !== 'required') return true;
  try {
    return localStorage.getItem(choice()) === 'allowed';
  } catch {
    return false;
  }
}
