import type { Api } from '../http/api.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { readAssets } from './assets.ts';
import { dashboardPage } from './page.ts';

/** Of pages that we alone write: own files, own API, nothing inline, in no frame. A form is never sent by the browser itself. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** The dashboard: one page at each of its addresses, without a secret in it; it calls the public API in the session of the browser. */
export function addDashboardRoutes(api: Api, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  const assets = readAssets();
  const page = dashboardPage(new URL(publicUrl).pathname.replace(/\/$/, ''), assets);
  const folder = '/dashboard/_assets/:hash/:name';

  api.get(folder, (context) => {
    const { hash, name } = context.req.param();
    const file = assets.path.endsWith(`/${hash}`) ? assets.files.get(name) : undefined;
    if (!file)
      throw new ApiError(404, 'AssetUnknown', 'There is no such file; the dashboard may have been updated. Load its page again.');
    return context.body(file.text, 200, { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' });
  });
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/:organization', '/dashboard/:organization/:domain'])
    api.get(path, (context) => context.body(page, 200, pageHeaders));
}
