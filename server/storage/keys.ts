// Names of what is kept of a site. A file's name is its digest, so exports share what they have in common, and keeping twice changes nothing.
import { domainSchema } from '../http/domain-schema.ts';

/** A file of an export. Throws for what is no domain or no digest, as all keys here: no part of a key comes from outside unchecked. */
export function fileKey(domain: string, sha256: string): string {
  return siteKey(domain, 'files', sha256, '');
}

/** The archive of an export. */
export function archiveKey(domain: string, sha256: string): string {
  return siteKey(domain, 'archives', sha256, '.zip');
}

/** `carrel.json`, by its own digest: it names all files but the settings. */
export function manifestKey(domain: string, sha256: string): string {
  return siteKey(domain, 'manifests', sha256, '.json');
}

/** `carrel.config.js` beside the manifest of its export, which does not list it. */
export function settingsKey(domain: string, manifest: string): string {
  return siteKey(domain, 'manifests', manifest, '.config.js');
}

/** Name that a bundle is saved under: `docs.example.com-v14.zip`. Whatever a label holds, it is a file name everywhere. */
export function bundleFileName(domain: string, version: string): string {
  const plain = version.replace(/[^A-Za-z0-9._+-]+/g, '-').slice(0, 100);
  return `${domain}-${plain}.zip`;
}

/** What all keys of a site begin with. */
export function siteFolder(domain: string): string {
  if (domainSchema.safeParse(domain).data !== domain) throw new Error(`"${domain}" is not a domain.`);
  return `sites/${domain}`;
}

function siteKey(domain: string, folder: string, sha256: string, ending: string): string {
  const site = siteFolder(domain);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`"${sha256}" is not a SHA-256 digest in hex.`);
  return `${site}/${folder}/${sha256}${ending}`;
}
