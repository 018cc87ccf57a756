import type { UrlRules } from '../urls/resolver.ts';

/** What differs between a site of our own theme and an existing site; whoever exports one hands it in once. */
export interface SiteRules {
  urls: UrlRules;
}
