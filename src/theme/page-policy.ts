import { hash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page of the theme, for hosts that send none and for `file://`: handlers in attributes, `javascript:` URLs
 * and inline scripts other than `inline` do not run, in as few bytes as possible. The scripts of other hosts are those of the analytics
 * providers in `carrel.config.js`, which the policy of a host lists one by one.
 */
export function pagePolicy(inline?: string): string {
  return `script-src * file:${inline === undefined ? '' : ` 'sha256-${hash('sha256', inline, 'base64')}'`}`;
}
