import { z } from '@hono/zod-openapi';
import type { Database } from '../database/database.ts';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import type { Secrets } from '../platform/secrets.ts';
import { checkContents } from './doctor/contents.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';

/** A finding of the doctor, which also reads it from a running server. */
export const findingsSchema = namedObject('Findings', {
  findings: z.array(
    z.object({
      check: z.string().openapi({ description: 'Permanent name of the check.', example: 'sites' }),
      state: z.enum(['ok', 'warn', 'fail']),
      message: z.string(),
      next: z.string().optional().openapi({ description: 'What to do; absent when the state is `ok`.' }),
    }),
  ),
});

interface DoctorRouteParts extends AdminRouteParts {
  database: Database;
  secrets: Secrets;
}

const route = adminRoutesOf<DoctorRouteParts>('Server');

/** Only the server that uses the embedded database can read it: `carrel doctor` gets its findings here. */
export const getFindings = route('get /v1/findings', {
  summary: 'Check sites, exports, schedules, webhooks and keys',
  description: 'Findings about all organizations, as `carrel doctor` prints them.',
  scope: 'operator',
  answers: { 200: jsonAnswer('The findings.', findingsSchema) },
  handle: async ({ parts }) => ({ findings: await checkContents(parts.database, parts.now(), parts.secrets) }),
});
