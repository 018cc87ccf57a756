// What an export contains of other people's work, in the format CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
import { hash } from 'node:crypto';
import { cacheFormat, cachedJson } from '../../integration/output/export-cache.ts';
import { packagesOf, type NpmPackage } from '../../integration/reader-build/npm-packages.ts';
import type { BillContents } from '../export/export-docs.ts';
import { iconSetFile } from '../markdown/icons.ts';
import { carrelVersion } from '../version.ts';

/** The bill of materials of an export. The same contents give the same text, so it has neither a time nor a serial number. */
export function billOfMaterials(contents: BillContents): string {
  const { site, folder, packages, docs, vendored } = contents;
  const used = new Map<string, object>();
  const usedIn = new Map<string, string[]>();
  const add = (key: string, component: object, path?: string): void => {
    used.set(key, component);
    usedIn.set(key, [...(usedIn.get(key) ?? []), ...(path === undefined ? [] : [path])]);
  };
  const addPackages = (list: NpmPackage[], path?: string): void => {
    for (const one of list) add(purlOf(one), packageComponent(one), path);
  };
  const addDownload = (url: string, path: string): void =>
    add(`${url} ${path}`, fileComponent(url, path, folder.files.get(path)!.sha256), path);

  for (const [name, list] of Object.entries(packages)) {
    const path = `_carrel/${name}`;
    if (folder.files.has(path)) addPackages(list, path);
  }
  for (const { path, origin } of docs?.assets ?? []) {
    if (origin === undefined || !folder.files.has(path)) continue;
    if (/^https?:/.test(origin)) addDownload(origin, path);
    else addPackages(packagesOf([origin]), path);
  }
  for (const { url, path } of vendored) addDownload(url, path);
  addPackages(packagesOf([...iconSetsIn(contents)].map(iconSetFile)));

  const components = [...used.keys()].sort().map((key) => {
    const occurrences = usedIn.get(key)!.sort();
    return {
      ...used.get(key),
      ...(occurrences.length > 0 && { evidence: { occurrences: occurrences.map((location) => ({ location })) } }),
    };
  });
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'carrel', version: carrelVersion }] },
      component: { type: 'application', 'bom-ref': 'site', name: site },
    },
    components,
    // What the scripts of another generator's site contain is not known.
    ...(!docs && { compositions: [{ aggregate: 'incomplete', assemblies: ['site'] }] }),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** https://github.com/package-url/purl-spec */
function purlOf({ name, version }: NpmPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function packageComponent(one: NpmPackage): object {
  const purl = purlOf(one);
  const { name, version, license } = one;
  return { type: 'library', 'bom-ref': purl, name, version, ...(license && { licenses: licensesOf(license) }), purl };
}

function licensesOf(license: string): object[] {
  return [license.includes(' ') ? { expression: license } : { license: { id: license } }];
}

function fileComponent(url: string, path: string, sha256: string): object {
  // The query of a URL can be a signature that opens the file.
  const { origin, pathname } = new URL(url, 'https://site.invalid');
  return {
    type: 'file',
    name: path.slice(path.lastIndexOf('/') + 1),
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    externalReferences: [{ type: 'distribution', url: origin + pathname }],
  };
}

/** The icon sets whose icons are on pages and in the sidebars that scripts show. */
function iconSetsIn({ site, folder, docs }: BillContents): Set<string> {
  if (!docs) return new Set();
  // Unchanged pages are not read again: an export of thousands can consist of them.
  const key = `icon-sets-${cacheFormat}/${hash('sha256', site)}`;
  const text = docs.cache?.get(key);
  const before = new Map<string, string>();
  for (const [sets, ids] of cachedJson<[sets: string, ids: string][]>(text) ?? [])
    for (const id of ids.split(' ')) before.set(id, sets);
  const now = new Map<string, string[]>();
  for (const [path, { sha256 }] of folder.files) {
    if (!path.endsWith('.html') && !path.startsWith('_carrel/navigation.')) continue;
    const id = sha256.slice(0, 16);
    const sets = before.get(id) ?? (docs.iconSets.get(path) ?? docs.iconSetsIn(textOf(folder, path))).join(' ');
    const ids = now.get(sets);
    if (ids) ids.push(id);
    else now.set(sets, [id]);
  }
  const next = JSON.stringify([...now].map(([sets, ids]) => [sets, ids.join(' ')]));
  if (next !== text) docs.cache?.set(key, next);
  return new Set([...now.keys()].flatMap((sets) => sets.split(' ').filter(Boolean)));
}

/** The text of a page, or of a script with HTML in strings. */
function textOf({ readBytes }: BillContents['folder'], path: string): string {
  const text = Buffer.from(readBytes(path)).toString();
  return path.endsWith('.js') ? text.replaceAll('\\"', '"') : text;
}
