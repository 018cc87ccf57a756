import type { Api } from '../api.ts';
import type { Services } from '../services.ts';

/** The readable reference at `/reference`. */
export function addReferenceRoutes(_api: Api, _services: Services): void {}
