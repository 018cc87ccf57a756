import { createCipheriv } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serveBundle, type ServeBundleOptions } from '../../../server/hosting/serve-bundle.ts';
import { archiveOf, manifestOf } from '../../integration/output/archives.ts';
import { startBundleServer, type Answer } from '../active-exports/bundle-server.ts';
import { makeFolder } from './small-site.ts';

type ChangedOptions = Partial<Omit<Exclude<ServeBundleOptions, { watch: string }>, 'url'>> & { url?: string };

interface SmallBundle {
  /** Files of the archive that its manifest does not list, or lists otherwise. */
  more?: Record<string, string>;
  deployment?: string;
  /** Length of its text, which does not pack well. */
  size?: number;
}

/** The bundle of a small site of which every page tells its version. */
export async function bundleOf(
  version: string,
  { more, deployment = 'cloud', size = 30_000 }: SmallBundle = {},
): Promise<Buffer> {
  const files = { 'index.html': `<!doctype html><title>Home</title><p>Version ${version}</p>`, 'big.txt': noise(version, size) };
  const manifest = JSON.stringify({ ...JSON.parse(manifestOf(files, version)), deployment });
  return readFileSync(await archiveOf({ ...files, 'carrel.json': manifest, ...more }));
}

/** A text that does not pack well. */
export function noise(seed: string, size: number): string {
  return createCipheriv('aes-128-ctr', seed.padEnd(16), Buffer.alloc(16))
    .update(Buffer.alloc(size / 2))
    .toString('hex');
}

/** A server of bundles, and what serves from it. */
export async function setUp(answer: Answer, options: ChangedOptions = {}) {
  const server = await startBundleServer(answer);
  const keep = join(await makeFolder({}), 'keep');
  const lines: string[] = [];
  const warnings: string[] = [];
  const start = async (more: ChangedOptions = {}) => {
    lines.length = warnings.length = 0;
    const say = (line: string) => void lines.push(line);
    const warn = (line: string) => void warnings.push(line);
    const served = await serveBundle({
      ...((more.refresh ?? options.refresh) ? {} : { url: server.link }),
      keep,
      port: 0,
      waits: [0],
      now: Date.now,
      say,
      warn,
      ...options,
      ...more,
    } as ServeBundleOptions);
    onTestFinished(() => served.close());
    return served;
  };
  /** The home page that a start ends with. */
  const home = async (more: ChangedOptions = {}) => {
    const served = await start(more);
    const text = await (await fetch(served.address)).text();
    await served.close();
    return text;
  };
  const requests = () => server.requests.length;
  return { server, keep, lines, warnings, start, home, requests };
}

export const sitesIn = (keep: string) => readdirSync(join(keep, 'sites'));
