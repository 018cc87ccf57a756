// node --liftoff-only small-server.ts: the server as `carrel server` starts it, but for a smaller first site. CLOCK names a file
// of milliseconds by which this process's clock is wrong, whoever asks it. With QUICK_EXPORT its exports are those of quick-exporter.ts,
// with the stage `render` of so many milliseconds. SITE is the domain of its first site, and DOCS the folder.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { CLOCK: clock, QUICK_EXPORT: quick, SITE: domain = 'docs', DOCS: docs } = process.env;
if (clock) {
  const { now } = Date;
  const wrong = () => now() + Number(readFileSync(clock, 'utf8'));
  globalThis.Date = class extends Date {
    static override now = wrong;
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [wrong()] : given) as [number]));
    }
  } as DateConstructor;
}
// Only now: modules keep the Date they find.
const { readOptions } = await import('../../../server/platform/read-options.ts');
const { startServer } = await import('../../../server/server.ts');
const { carrelExport, quickExport } = await import('../jobs/exporters.ts');

const server = await startServer({
  options: readOptions({ environment: process.env }),
  exporter: quick === undefined ? carrelExport : quickExport(Number(quick)),
  firstSite: {
    domain,
    source: { type: 'folder', path: docs ?? fileURLToPath(new URL('../../../fixtures/plain-folder', import.meta.url)) },
  },
});
console.log(`listening on ${server.address}${server.sitesAddress ? ` and ${server.sitesAddress} (sites)` : ''}`);
process.once('SIGINT', () => void server.stop());
console.log('Ctrl+C stops it.');
