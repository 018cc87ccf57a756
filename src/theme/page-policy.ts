import { hash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page of the theme, for hosts that send none and for `file://`, where `'self'` is not enough: handlers in
 * attributes, `javascript:` URLs and inline scripts other than `inline` do not run. The scripts of other hosts are those of the analytics
 * providers in `carrel.config.js`, which the policy of a host lists one by one.
 */
export function pagePolicy(inline?: string): string {
  const own = inline === undefined ? '' : ` 'sha256-${hash('sha256', inline, 'base64')}'`;
  return `script-src 'self' file: http: https:${own}; object-src 'none'; base-uri 'none'`;
}
