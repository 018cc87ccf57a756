// One step of bundles.ts, in a process of its own: pack FOLDER ZIP, unpack ZIP FOLDER, or serve ZIP.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { withSmallYoungSpace } from '../../src/cli/own-process.ts';

const [step = '', from = '', to = ''] = process.argv.slice(2);
// Each loads only what it needs, since that counts as its memory.
const steps: Record<string, () => Promise<unknown>> = {
  async pack() {
    const { writeArchive } = await import('../../integration/output/write-archive.ts');
    (await writeArchive(from, filesIn(from), to)).commit();
  },
  async unpack() {
    const { unpackBundle } = await import('../../integration/output/unpack-bundle.ts');
    await unpackBundle(from, to);
  },
  async serve() {
    const { serveSite } = await import('../../server/hosting/serve.ts');
    const served = await serveSite({ source: from, port: 0, host: '127.0.0.1', base: '/' });
    const response = await fetch(`${served.address}part-0/page-0/`);
    if (!(await response.text()).startsWith('<p>0</p>')) throw new Error(`The page was not served: ${response.status}`);
    await served.close();
  },
};
await withSmallYoungSpace(async () => steps[step]?.());

function filesIn(root: string): string[] {
  const names: string[] = [];
  const folders = [''];
  for (const folder of folders)
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(name);
      else names.push(name);
    }
  return names;
}
