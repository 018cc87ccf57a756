import type { Api } from '../http/api.ts';
import { readAssets } from './assets.ts';
import { pageHeaders } from './routes.ts';
import { describe } from '../http/openapi.ts';
import type { Services } from '../services.ts';
import { referencePage, type Description } from './reference-page.ts';

/** Serves the human-readable reference at `/reference`. The first request renders it from the document at `/openapi.json`. */
export function addReferenceRoutes(api: Api, { publicUrl }: Services): void {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  let page: string | undefined;
  api.get('/reference', (context) => {
    page ??= referencePage(describe(api, publicUrl) as Description, {
      styles: `${base}${readAssets().path}/style.css`,
      openapi: `${base}/openapi.json`,
    });
    return context.body(page, 200, { ...pageHeaders, 'cache-control': 'no-cache' });
  });
}
