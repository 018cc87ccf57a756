import { lostError } from '../../server/database/sealed-texts.ts';
import type { SecretRotation } from '../../server/health/secret-routes.ts';
import { openApiClient } from './api-client.ts';
import { jsonOption, print, jsonExamples } from './subcommands.ts';
import { defineCommand } from './usage.ts';

/** `carrel secret …`: how they are used. */
export const subcommands = {
  rotate: defineCommand({
    usage: 'secret rotate',
    summary: 'Replace the secret of a running server, and encrypt with it what is stored (requires the scope operator).',
    examples: jsonExamples('secret rotate', 'Replace the generated secret, or finish with CARREL_SECRET_PREVIOUS'),
    options: { json: jsonOption },
    /** Exit code 1 when no secret decrypts something. */
    async run({ options: { json } }) {
      const rotated = await openApiClient(process.env).json<SecretRotation>('POST', '/v1/secret/rotate');
      const { generated, encrypted, lost } = rotated;
      const next = generated
        ? 'Links, sign-ins and tokens of the old secret work until the server starts again.'
        : 'The previous secret is not needed anymore: remove CARREL_SECRET_PREVIOUS, if it is set, and restart all processes.';
      print(rotated, json, `Encrypted ${encrypted} stored secrets with the ${generated ? 'new' : 'current'} secret. ${next}`);
      const error = lostError(lost);
      if (error) throw error;
    },
  }),
};
