import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureFile } from '../../integration/manifest.ts';
import { checkSignature } from '../../integration/output/signature.ts';
import { signatureOf, type Signer } from './signing-key.ts';

export interface AttestOptions {
  signer: Signer;
  /** The folder of the export, where the one before may be. */
  out: string;
  now: Date;
}

/** The files that say who made an export of this `carrel.json`. Throws `ExportError` `SigningFailed`. */
export async function attest(manifest: string, { signer, out, now }: AttestOptions): Promise<Map<string, string>> {
  const bytes = Buffer.from(manifest);
  return new Map([[signatureFile, earlier(bytes, { signer, out }) ?? signatureOf(bytes, 'carrel.json', { signer, now })]]);
}

/** The signature of the export before, if it is the same: so the same docs give the same bytes. */
function earlier(manifest: Uint8Array, { signer, out }: Pick<AttestOptions, 'signer' | 'out'>): string | undefined {
  try {
    const text = readFileSync(join(out, signatureFile), 'utf8');
    checkSignature(manifest, text, { keys: [signer.publicKey], where: out });
    return text;
  } catch {
    return undefined;
  }
}
