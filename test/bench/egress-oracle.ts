// Whether the egress audit misses anything: every request that Chromium makes to another host on every page of finished sites must be
// in its list. Run: node test/bench/egress-oracle.ts <folder of finished HTML>… ; exits with 1 when a request is not listed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportStaticSite } from '../../integration/static-site/export-static-site.ts';
import { optionsSchema } from '../../integration/options.ts';
import { missedBy, outsideRequests } from '../support/egress-oracle.ts';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Specify the folders of built sites: node test/bench/egress-oracle.ts ./dist …');
  process.exit(2);
}
for (const folder of folders) {
  const out = mkdtempSync(join(tmpdir(), 'carrel-egress-'));
  try {
    const { out: _out, replace: _replace, zip: _zip, ...options } = optionsSchema.parse({ deployment: 'cloud', markdown: false });
    const { egress, pages: exported } = await exportStaticSite(
      { root: folder },
      { ...options, out: join(out, 'export'), generator: 'carrel/oracle', environment: {} },
    );
    const { pages, requests } = await outsideRequests(folder);
    const missed = missedBy(egress, requests);
    const addresses = new Set(requests.map(({ url }) => url));
    console.log(
      `${folder}: ${pages} pages opened (${exported} exported), ${requests.length} requests to other hosts for ${addresses.size} addresses;`,
    );
    console.log(
      `  ${egress.length} entries in the audit, of ${new Set(egress.map(({ url }) => url)).size} addresses; ${missed.length} requests missed`,
    );
    const counts = new Map<string, number>();
    for (const { outcome, kind } of egress) counts.set(`${outcome} ${kind}`, (counts.get(`${outcome} ${kind}`) ?? 0) + 1);
    for (const [name, count] of counts) console.log(`  ${name}: ${count}`);
    for (const url of new Set(missed.map(({ url }) => url))) {
      const { page, type } = missed.find((request) => request.url === url)!;
      console.log(`  MISSED ${type} ${url} on ${page}`);
    }
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
