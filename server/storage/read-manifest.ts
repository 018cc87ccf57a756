import { manifestFault, manifestSchema, type Manifest } from '../../integration/manifest.ts';
import { ExportError } from '../../integration/errors.ts';
import { manifestKey } from './storage-keys.ts';
import type { Storage } from './storage.ts';
import { jsonValue } from '../../integration/text/json.ts';

/** The manifest of a stored export; undefined when it was removed. Throws `ExportError` `ManifestInvalid`, `StorageUnavailable`. */
export async function readManifest(storage: Storage, domain: string, digest: string): Promise<Manifest | undefined> {
  const stored = await storage.get(manifestKey(domain, digest));
  return (
    stored &&
    parseManifest(await new Response(await stored.read()).text(), `of the stored export ${digest.slice(0, 12)} of "${domain}"`)
  );
}

/** Throws `ExportError` `ManifestInvalid`, which says where it is: 'of the export', 'in "site"'. */
export function parseManifest(text: string, where: string, hint = 'Export the site again.'): Manifest {
  const parsed = manifestSchema.safeParse(jsonValue(text));
  if (parsed.success) return parsed.data;
  throw new ExportError('ManifestInvalid', `carrel.json ${where} ${manifestFault(parsed.error)}`, hint);
}
