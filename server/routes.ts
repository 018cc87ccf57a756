// The HTTP API as one Hono app, to which every part adds its routes.
import { addOrganizationRoutes, addUsageRoutes } from './organizations/organization-routes.ts';
import { addAuditRoutes } from './organizations/audit-routes.ts';
import { addKeyRoutes } from './organizations/key-routes.ts';
import { addAccountRoutes } from './members/account-routes.ts';
import { addMemberRoutes } from './members/member-routes.ts';
import { addOidcRoutes } from './members/oidc-routes.ts';
import { addPasskeyRoutes } from './members/passkey-routes.ts';
import { addSessionRoutes } from './members/session-routes.ts';
import { addFeedbackRoutes, addThreadRoutes } from './assistant/threads/thread-routes.ts';
import { addMessageRoutes } from './assistant/message-routes.ts';
import { addMcpRoutes } from './assistant/mcp/mcp-routes.ts';
import { createStreamLimit } from './assistant/stream/stream-limit.ts';
import { addModelRoutes } from './assistant/model-routes.ts';
import { addSearchRoutes } from './assistant/search-routes.ts';
import { addReferenceRoutes } from './dashboard/reference-site.ts';
import { addDashboardRoutes, addRootRoute } from './dashboard/routes.ts';
import { addBackupRoutes } from './health/backup-routes.ts';
import { addDoctorRoutes } from './health/doctor-routes.ts';
import { addJobRoutes } from './jobs/routes/job-routes.ts';
import { addExportRoutes } from './jobs/routes/export-routes.ts';
import { addDetectRoutes } from './jobs/routes/detect-routes.ts';
import { addBundleRoutes } from './jobs/routes/bundle-routes.ts';
import { addEventRoutes } from './analytics/event-routes.ts';
import { addReportRoutes } from './analytics/report-routes.ts';
import { addOpenApiDescription } from './http/openapi.ts';
import { addSecretRoutes } from './health/secret-routes.ts';
import { addHealthRoutes } from './health/health-routes.ts';
import { addPreviewRoutes } from './jobs/causes/preview-routes.ts';
import { addPushRoutes } from './jobs/causes/push-routes.ts';
import { removeOldExports } from './jobs/retention.ts';
import { exportForAudiences } from './jobs/start-export.ts';
import { addReaderCodeRoutes } from './sites/reader-code-routes.ts';
import { addSiteRoutes } from './sites/site-routes.ts';
import { checkGitCredentials } from './sources/git-credentials.ts';
import { addPlaygroundRoutes } from './playground/playground-routes.ts';
import { addWebhookRoutes } from './webhooks/webhook-routes.ts';
import type { Api } from './http/api.ts';
import { emptyApi } from './http/empty-api.ts';
import type { Services } from './services.ts';

export function createApi(services: Services): Api {
  const api = emptyApi(services);
  addRootRoute(api, services);
  addHealthRoutes(api, services);
  addAccountRoutes(api, services);
  addOrganizationRoutes(api, {
    ...services,
    checkGitCredentials: (organizations) => checkGitCredentials(services.options.gitCredentials, organizations),
    removeOrganization: (id) => removeOrganization(services, id),
  });
  addUsageRoutes(api, services);
  addKeyRoutes(api, services);
  addSessionRoutes(api, services);
  addMemberRoutes(api, services);
  addPasskeyRoutes(api, services);
  addOidcRoutes(api, services);
  addAuditRoutes(api, services);
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
  addModelRoutes(api, services);
  addPushRoutes(api, services);
  addPreviewRoutes(api, services);
  addJobRoutes(api, services);
  addBundleRoutes(api, services);
  addExportRoutes(api, services);
  addWebhookRoutes(api, services);
  const streams = createStreamLimit(services.options);
  addMessageRoutes(api, { ...services, streams });
  addFeedbackRoutes(api, services);
  addThreadRoutes(api, services);
  addSearchRoutes(api, services);
  addMcpRoutes(api, { ...services, streams });
  addPlaygroundRoutes(api, services);
  addEventRoutes(api, services);
  addReportRoutes(api, services);
  addBackupRoutes(api, services);
  addDoctorRoutes(api, services);
  addSecretRoutes(api, services);
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
