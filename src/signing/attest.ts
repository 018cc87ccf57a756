import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provenanceFile, signatureFile } from '../../integration/manifest.ts';
import { envelopeOf, readStatement } from '../../integration/output/provenance.ts';
import { checkSignature } from '../../integration/output/signature.ts';
import { provenanceOf, type ProvenanceOptions, type RemoteInput } from './provenance.ts';
import { checkedSign, signatureOf, type Signer } from './signing-key.ts';

export interface AttestOptions {
  signer: Signer;
  /** The folder of the export, where the one before may be. */
  out: string;
  now: Date;
  /** What it was made from; without it, there is no statement about that. */
  provenance?: Omit<ProvenanceOptions, 'finished'> & { remote: readonly RemoteInput[] };
}

/** The files that say who made an export of this `carrel.json`, and from what. Throws `ExportError` `SigningFailed`. */
export async function attest(manifest: string, { signer, out, now, provenance }: AttestOptions): Promise<Map<string, string>> {
  const bytes = Buffer.from(manifest);
  const keys = [signer.publicKey];
  const earlier = (name: string, isValid: (text: string) => unknown) => earlierFile(join(out, name), isValid);
  const signature =
    earlier(signatureFile, (text) => checkSignature(bytes, text, { keys, where: out })) ??
    signatureOf(bytes, 'carrel.json', { signer, now });
  const files = new Map([[signatureFile, signature]]);
  if (!provenance) return files;
  const statement = await provenanceOf(manifest, provenance.remote, { ...provenance, finished: now });
  const definition = JSON.stringify(statement.predicate.buildDefinition);
  const isSame = (text: string) => JSON.stringify(readStatement(text, bytes, keys)?.predicate.buildDefinition) === definition;
  const envelope =
    earlier(provenanceFile, isSame) ?? envelopeOf(statement, signer.publicKey.id, (message) => checkedSign(signer, message));
  return files.set(provenanceFile, envelope);
}

/** A file of the export before, if it is still right: so the same docs give the same bytes. */
function earlierFile(file: string, isValid: (text: string) => unknown): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return isValid(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
