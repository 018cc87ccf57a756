// Storage keys of a site. A file's name is its digest, so exports share what they have in common, and storing twice changes nothing.
import { domainSchema } from '../http/field-schemas.ts';

/** A file of an export. Throws for anything that is not a domain or not a digest, as all functions here: no part of a key is unchecked. */
export function fileKey(domain: string, sha256: string): string {
  return siteKey(domain, 'files', sha256, '');
}

/** The archive of an export. */
export function archiveKey(domain: string, sha256: string): string {
  return siteKey(domain, 'archives', sha256, '.zip');
}

/** `carrel.json`, by its own digest, or a file beside it that it does not list: `carrel.config.js`. */
export function manifestKey(domain: string, sha256: string, file = 'carrel.json'): string {
  return siteKey(domain, 'manifests', sha256, file.slice('carrel'.length));
}

/** File name of a bundle: `docs.example.com-v14.zip`. It is valid on every system, also when the label is not. */
export function bundleFileName(domain: string, version: string, format = 'zip'): string {
  const plain = version.replace(/[^A-Za-z0-9._+-]+/g, '-').slice(0, 100);
  return `${domain}-${plain}.${format}`;
}

/** The beginning of all keys of a site. */
export function siteFolder(domain: string): string {
  if (domainSchema.safeParse(domain).data !== domain) throw new Error(`"${domain}" is not a domain.`);
  return `sites/${domain}`;
}

function siteKey(domain: string, folder: string, sha256: string, ending: string): string {
  const site = siteFolder(domain);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`"${sha256}" is not a SHA-256 digest in hex.`);
  return `${site}/${folder}/${sha256}${ending}`;
}
