import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import AdmZip from 'adm-zip';
import { atFileEnd } from '../../support/at-file-end.ts';

export const longPage = `<!doctype html><html lang="en"><title>Install</title><p>${'Install it. '.repeat(200)}</p></html>`;

/** The files of a small export, as `carrel export` would lay them out. */
export const smallSite: Record<string, string> = {
  'index.html': '<!doctype html><html lang="en"><title>Home</title><p>Home</p></html>',
  'index.md': '# Home\n',
  '404.html': '<!doctype html><html lang="en"><title>Not found</title><style>p { color: red }</style><p>No such page</p></html>',
  'guides/install/index.html': longPage,
  'guides/install.md': '# Install\n',
  'guides/a b & c/index.html': '<!doctype html><title>Spaces</title>',
  'v1.2/index.html': '<!doctype html><title>Version</title>',
  '_carrel/reader.0123456789ab.js': 'void 0;',
  '_carrel/search/0123456789ab/en/terms-a.js': 'void 0;',
  'carrel.config.js': '// settings',
  'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'empty.txt': '',
  '.env': 'SECRET=1',
};

/** The manifest of these files; of none by default. */
export function manifestOf(deployment = 'client-hosted', files: Record<string, string> = {}) {
  return JSON.stringify({
    format: 1,
    site: 'Small',
    version: '1',
    deployment,
    generator: 'carrel/test',
    entry: 'index.html',
    indexes: [],
    pages: [],
    redirects: [],
    files: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, listed(content)])),
  });
}

function listed(content: string) {
  return { sha256: createHash('sha256').update(content).digest('hex'), size: Buffer.byteLength(content) };
}

/** A folder of the test's own with these files in it, removed after the test file. */
export async function makeFolder(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'carrel-sites-'));
  atFileEnd(() => rm(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return root;
}

/** The same as a zip file. */
export async function makeZip(files: Record<string, string>): Promise<string> {
  const zip = new AdmZip();
  for (const [name, content] of Object.entries(files)) zip.addFile(name, Buffer.from(content));
  const file = path.join(await makeFolder({}), 'site.zip');
  zip.writeZip(file);
  return file;
}
