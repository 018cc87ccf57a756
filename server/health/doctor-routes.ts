import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../database/database.ts';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer } from '../http/error-answers.ts';
import { adminKey, type AccessParts } from '../organizations/authenticate.ts';
import { checkContents } from './doctor/contents.ts';

/** A finding of the doctor, which also reads it from a running server. */
export const findingsSchema = z
  .object({
    findings: z.array(
      z.object({
        check: z.string().openapi({ description: 'Permanent name of the check.', example: 'sites' }),
        state: z.enum(['ok', 'warn', 'fail']),
        message: z.string(),
        next: z.string().optional().openapi({ description: 'What to do; absent when the state is `ok`.' }),
      }),
    ),
  })
  .openapi('Findings');

/** Only the server that uses the embedded database can read it: `carrel doctor` gets its findings here. */
export function addDoctorRoutes(api: Api, services: AccessParts & { database: Database; now: () => number }): void {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/findings',
      operationId: 'getFindings',
      tags: ['Server'],
      summary: 'Check sites, exports, schedules, webhooks and keys',
      description: 'Findings about all organizations, as `carrel doctor` prints them.',
      security: [{ adminKey: [] }],
      middleware: adminKey(services, 'operator'),
      responses: { 200: jsonAnswer('The findings.', findingsSchema), ...errorAnswers(401, 403) },
    }),
    async (context) => context.json({ findings: await checkContents(services.database, services.now()) }, 200),
  );
}
