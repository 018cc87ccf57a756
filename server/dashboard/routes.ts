import type { Api } from '../api.ts';
import type { Services } from '../services.ts';

/** The dashboard at `/dashboard/{organization}/{domain}`. */
export function addDashboardRoutes(_api: Api, _services: Services): void {}
