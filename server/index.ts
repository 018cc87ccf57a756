export { siteHandler, type SiteHandlerOptions } from './sites/handler.ts';
export { openSite, type OpenedSite, type SiteFile } from './sites/open-site.ts';
export { serveSite, type ServedSite, type ServeSiteOptions } from './sites/serve.ts';
