export { siteHandler, type SiteHandlerOptions } from './hosting/handler.ts';
export { openSite, type OpenedSite, type SiteFile } from './active-exports/open-site.ts';
export { serveSite, type ServedSite, type ServeSiteOptions } from './hosting/serve.ts';
