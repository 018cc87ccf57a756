import { safeUrl } from '../../integration/urls/safe-url.ts';

/** The URL of an icon that is an image; undefined for the name of one of the icon libraries. */
export function iconImage(icon: string): string | undefined {
  return /^(?:\/|https?:|data:image\/)/.test(icon) ? safeUrl(icon, { data: true }) : undefined;
}
