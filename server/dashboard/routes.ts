import type { Api } from '../http/api.ts';
import { ApiError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { readAssets } from './assets.ts';
import { dashboardPage } from './page.ts';

/** Headers for Carrel's own pages: only their own files and API, nothing inline, no frames. The browser itself never submits a form. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** Serves the dashboard: the same page, without secrets, at each of its paths. It calls the public API in the browser's session. */
export function addDashboardRoutes(api: Api, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  const assets = readAssets();
  const page = dashboardPage(new URL(publicUrl).pathname.replace(/\/$/, ''), assets);
  const folder = '/dashboard/_assets/:hash/:name';

  api.get(folder, (context) => {
    const { hash, name } = context.req.param();
    const file = assets.path.endsWith(`/${hash}`) ? assets.files.get(name) : undefined;
    if (!file)
      throw new ApiError(404, 'AssetUnknown', 'This file does not exist; the dashboard may have been updated. Reload the page.');
    return context.body(file.text, 200, { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' });
  });
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/:organization', '/dashboard/:organization/:domain'])
    api.get(path, (context) => context.body(page, 200, pageHeaders));
}
