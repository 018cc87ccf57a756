// The HTTP API as one Hono app, to which every part adds its routes.
import { organizationRoutes, getUsage } from './organizations/organization-routes.ts';
import { listAuditEntries } from './organizations/audit-routes.ts';
import { keyRoutes } from './organizations/key-routes.ts';
import { getAccount } from './members/account-routes.ts';
import { memberRoutes } from './members/member-routes.ts';
import { addOidcRoutes } from './members/oidc-routes.ts';
import { passkeyRoutes } from './members/passkey-routes.ts';
import { sessionRoutes } from './members/session-routes.ts';
import { createAssistantFeedback, threadRoutes } from './assistant/threads/thread-routes.ts';
import { addMessageRoutes } from './assistant/message-routes.ts';
import { addMcpRoutes } from './assistant/mcp/mcp-routes.ts';
import { createStreamLimit } from './assistant/stream/stream-limit.ts';
import { modelRoutes } from './assistant/model-routes.ts';
import { searchRoutes } from './assistant/search-routes.ts';
import { addReferenceRoutes } from './dashboard/reference-site.ts';
import { addDashboardRoutes, addRootRoute } from './dashboard/routes.ts';
import { getBackup } from './health/backup-routes.ts';
import { getFindings } from './health/doctor-routes.ts';
import { addJobRoutes } from './jobs/routes/job-routes.ts';
import { exportRoutes } from './jobs/routes/export-routes.ts';
import { addDetectRoutes } from './jobs/routes/detect-routes.ts';
import { addBundleRoutes } from './jobs/routes/bundle-routes.ts';
import { addEventRoutes } from './analytics/event-routes.ts';
import { reportRoutes } from './analytics/report-routes.ts';
import { addOpenApiDescription } from './http/openapi.ts';
import { rotateSecret } from './health/secret-routes.ts';
import { addHealthRoutes } from './health/health-routes.ts';
import { previewRoutes } from './jobs/causes/preview-routes.ts';
import { addPushRoutes } from './jobs/causes/push-routes.ts';
import { removeOldExports } from './jobs/retention.ts';
import { exportForAudiences } from './jobs/start-export.ts';
import { addReaderCodeRoutes } from './sites/reader-code-routes.ts';
import { addSiteRoutes } from './sites/site-routes.ts';
import { checkGitCredentials } from './sources/git-credentials.ts';
import { addPlaygroundRoutes } from './playground/playground-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import type { Api } from './http/api.ts';
import { emptyApi } from './http/empty-api.ts';
import { addRoutes, type Route } from './http/route.ts';
import type { Services } from './services.ts';

export function createApi(services: Services): Api {
  const api = emptyApi(services);
  const add = (routes: Record<string, Route<Services>>) => addRoutes(api, services, routes);
  addRootRoute(api, services);
  addHealthRoutes(api, services);
  add({ getAccount });
  const organizationParts = {
    ...services,
    checkGitCredentials: (organizations: number) => checkGitCredentials(services.options.gitCredentials, organizations),
    removeOrganization: (id: string) => removeOrganization(services, id),
  };
  addRoutes(api, organizationParts, organizationRoutes);
  add({ getUsage, ...keyRoutes, ...sessionRoutes, ...memberRoutes, ...passkeyRoutes });
  addOidcRoutes(api, services);
  add({ listAuditEntries });
  addSiteRoutes(api, {
    ...services,
    exportForAudiences: (site, whole) => exportForAudiences(services, site, { whole, onlyMissing: true }),
    async removeExports(domain) {
      await removeOldExports(services, domain);
      // Its previews are gone, too.
      await services.previews.removeOld();
    },
  });
  addReaderCodeRoutes(api, services);
  addDetectRoutes(api, services);
  add(modelRoutes);
  addPushRoutes(api, services);
  add(previewRoutes);
  addJobRoutes(api, services);
  addBundleRoutes(api, services);
  add({ ...exportRoutes, ...webhookRoutes });
  const streams = createStreamLimit(services.options);
  addMessageRoutes(api, { ...services, streams });
  add({ createAssistantFeedback, ...threadRoutes, ...searchRoutes });
  addMcpRoutes(api, { ...services, streams });
  addPlaygroundRoutes(api, services);
  addEventRoutes(api, services);
  add({ ...reportRoutes, getBackup, getFindings, rotateSecret });
  addOpenApiDescription(api, services);
  addReferenceRoutes(api, services);
  addDashboardRoutes(api, services);
  return api;
}

async function removeOrganization(services: Services, id: string): Promise<void> {
  const { organizations, jobs, queue, sites, log } = services;
  const { unfinished, domains } = await organizations.close(id);
  for (const job of unfinished) {
    await jobs.cancel(job);
    await queue.remove(job).catch((err: unknown) => log.warn({ err, job }, 'a canceled job is still in the queue'));
  }
  // While its jobs are known: they name the files of its exports.
  for (const domain of domains) {
    sites.forget(domain);
    await removeOldExports(services, domain);
  }
  await organizations.remove(id);
}

/** For a worker-only process: health and metrics. */
export function createWorkerApi(services: Services): Api {
  const api = emptyApi(services);
  addHealthRoutes(api, services);
  return api;
}
