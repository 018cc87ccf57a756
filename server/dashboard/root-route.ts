import type { Api } from '../http/api.ts';
import type { Services } from '../services.ts';

/** What whoever types the bare address finds: the dashboard in a browser, the addresses of the rest for a program. */
export function addFrontDoor(api: Api, { publicUrl }: Pick<Services, 'publicUrl'>): void {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const places = {
    dashboard: `${publicUrl}/dashboard`,
    reference: `${publicUrl}/reference`,
    openapi: `${publicUrl}/openapi.json`,
  };
  api.get('/', (context) => {
    context.header('vary', 'accept');
    // By path alone: the host that the browser reached is right for it, whatever others call the server.
    if (context.req.header('accept')?.includes('text/html')) return context.redirect(`${base}/dashboard`, 303);
    return context.json({ name: 'Carrel', ...places });
  });
}
