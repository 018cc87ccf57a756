// Where an export comes from: an in-toto statement (https://in-toto.io/Statement/v1) with a predicate of SLSA (https://slsa.dev/provenance/v1) in a
// DSSE envelope (https://github.com/secure-systems-lab/dsse), which the key of the manifest signs. Other programs read them, too.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { jsonValue } from '../text/json.ts';
import { bytesOf, isSignedBy, type PublicKey } from './signature.ts';

const payloadType = 'application/vnd.in-toto+json';

const envelopeSchema = z.object({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.array(z.object({ sig: z.base64() })),
});

const statementSchema = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
  predicateType: z.literal('https://slsa.dev/provenance/v1'),
  predicate: z.object({
    buildDefinition: z.object({
      buildType: z.string(),
      externalParameters: z.record(z.string(), z.unknown()),
      resolvedDependencies: z.array(
        z.object({
          uri: z.string().optional(),
          digest: z.record(z.string(), z.string()),
          annotations: z.record(z.string(), z.unknown()).optional(),
        }),
      ),
    }),
    runDetails: z.object({
      builder: z.object({ id: z.string(), version: z.record(z.string(), z.string()).optional() }),
      metadata: z.object({ startedOn: z.string().optional(), finishedOn: z.string().optional() }).optional(),
    }),
  }),
});
export type Statement = z.infer<typeof statementSchema>;

/** What is signed: the type and the payload, each with its length (DSSE's pre-authentication encoding). */
function signedBytes(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

/** The envelope of a statement. */
export function envelopeOf(statement: Statement, keyId: string, sign: (message: Uint8Array) => Uint8Array): string {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = Buffer.from(sign(signedBytes(payload))).toString('base64');
  return `${JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures: [{ keyid: keyId, sig }] })}\n`;
}

/**
 * The statement in an envelope; undefined if it is none, says something of another manifest, or if none of `keys` signed it. Without keys, its
 * signature is not looked at.
 */
export function readStatement(envelope: string, manifest: Uint8Array, keys?: readonly PublicKey[]): Statement | undefined {
  const { data: parsed } = envelopeSchema.safeParse(jsonValue(envelope));
  if (!parsed) return undefined;
  const payload = bytesOf(parsed.payload);
  const isSigned = ({ bytes }: PublicKey) =>
    parsed.signatures.some(({ sig }) => isSignedBy(bytes, signedBytes(payload), bytesOf(sig)));
  if (keys && !keys.some(isSigned)) return undefined;
  const { data: statement } = statementSchema.safeParse(jsonValue(payload.toString()));
  return statement?.subject.some(({ digest }) => digest.sha256 === hash('sha256', manifest)) ? statement : undefined;
}
