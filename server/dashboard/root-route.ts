import type { Api } from '../http/api.ts';
import type { Services } from '../services.ts';

/** The root route: redirects browsers to the dashboard, and returns the other URLs to programs. */
export function addRootRoute(api: Api, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const places = {
    dashboard: `${publicUrl}/dashboard`,
    reference: `${publicUrl}/reference`,
    openapi: `${publicUrl}/openapi.json`,
  };
  api.get('/', (context) => {
    context.header('vary', 'accept');
    // A path without a host: the browser stays on the host that it has reached.
    if (context.req.header('accept')?.includes('text/html')) return context.redirect(`${base}/dashboard`, 303);
    return context.json({ name: 'Carrel', ...places });
  });
}
