// The HTTP API as one Hono app, to which every part adds its routes.
import { addAccountRoutes } from './access/account-routes.ts';
import { addKeyRoutes } from './access/key-routes.ts';
import { addOrganizationRoutes } from './access/organization-routes.ts';
import { addSessionRoutes } from './access/session-routes.ts';
import { addFeedbackRoutes } from './assistant/feedback-routes.ts';
import { addMessageRoutes } from './assistant/message-routes.ts';
import { addSearchRoutes } from './assistant/search-routes.ts';
import { addThreadRoutes } from './assistant/thread-routes.ts';
import { addDashboardRoutes } from './dashboard/routes.ts';
import { addBackupRoutes } from './database/backup-routes.ts';
import { addJobRoutes } from './exports/job-routes.ts';
import { addBundleRoutes } from './links/bundle-routes.ts';
import { addDescription } from './openapi.ts';
import { addFrontDoor } from './operation/front-door.ts';
import { addHealthRoutes } from './operation/health-routes.ts';
import { addReferenceRoutes } from './operation/reference-routes.ts';
import { addSiteRoutes } from './sites/site-routes.ts';
import { addWebhookRoutes } from './webhooks/webhook-routes.ts';
import { emptyApi, type Api } from './api.ts';
import type { Services } from './services.ts';

export function createApi(services: Services): Api {
  const api = emptyApi(services);
  addFrontDoor(api, services);
  addHealthRoutes(api, services);
  addAccountRoutes(api, services);
  addOrganizationRoutes(api, services);
  addKeyRoutes(api, services);
  addSessionRoutes(api, services);
  addSiteRoutes(api, services);
  addJobRoutes(api, services);
  addBundleRoutes(api, services);
  addWebhookRoutes(api, services);
  addMessageRoutes(api, services);
  addFeedbackRoutes(api, services);
  addThreadRoutes(api, services);
  addSearchRoutes(api, services);
  addBackupRoutes(api, services);
  addDescription(api, services);
  addReferenceRoutes(api, services);
  addDashboardRoutes(api, services);
  return api;
}

/** For processes that only work: health and metrics. */
export function createWorkerApi(services: Services): Api {
  const api = emptyApi(services);
  addHealthRoutes(api, services);
  return api;
}
