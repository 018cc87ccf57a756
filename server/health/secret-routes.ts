import { z } from '@hono/zod-openapi';
import type { Database } from '../database/database.ts';
import { sealAgain } from '../database/sealed-texts.ts';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import { forgetPrevious, hasPrevious, renewSecret, type Secrets } from '../platform/secrets.ts';

interface SecretParts {
  database: Database;
  options: ServerOptions;
  secrets: Secrets;
}

const rotationSchema = namedObject('SecretRotation', {
  generated: z.boolean().openapi({ description: 'Whether the server has generated a new secret.' }),
  encrypted: z.int().openapi({ description: 'Stored secrets that were encrypted again.' }),
  lost: z
    .array(z.string())
    .openapi({ description: 'What no secret of the server decrypts.', example: ['webhook wh_0123456789abcdef'] }),
});

export type SecretRotation = z.infer<typeof rotationSchema>;

const route = adminRoutesOf<SecretParts & AdminRouteParts>('Server');

export const rotateSecret = route('post /v1/secret/rotate', {
  summary: 'Replace the secret of the server',
  description:
    'Encrypts what is stored with the current secret. A server that has generated its own, and has no previous one, first generates a new secret; otherwise the previous one is that of `CARREL_SECRET_PREVIOUS`. A request that was cut off can be sent again.',
  scope: 'operator',
  audit: 'secret.replace',
  answers: { 200: jsonAnswer('What was done.', rotationSchema) },
  errors: [409],
  async handle({ parts }) {
    const generated = parts.secrets.length === 1;
    if (generated) renew(parts);
    const { count, lost } = await sealAgain(parts.database, parts.secrets);
    return { generated, encrypted: count, lost };
  },
});

/** Other processes cannot learn of a new secret, and only the embedded database rules them out. */
function renew({ database, options, secrets }: SecretParts): void {
  if (options.secret === undefined && database.kind === 'embedded') return renewSecret(secrets, options);
  const present = options.secret === undefined ? `the one in the file "secret" of its data folder` : 'the present one';
  throw new ApiError(
    'SecretNotGenerated',
    `The server cannot replace its secret by itself, as other processes may have it, too. Set CARREL_SECRET to a new one (openssl rand -base64 32) and CARREL_SECRET_PREVIOUS to ${present}, for all processes; restart them, and try again.`,
  );
}

/** Encrypts what a rotation left, and removes the secret that it replaced. Called before anything else uses the database. */
export async function finishRotation({ database, options, secrets }: SecretParts): Promise<void> {
  if (!hasPrevious(options)) return;
  await sealAgain(database, secrets);
  forgetPrevious(secrets, options);
}
