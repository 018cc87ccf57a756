// The files of the dashboard, read once: its stylesheet and its scripts, under a common hash.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';

export interface Assets {
  /** Folder of the files: '/dashboard/_assets/0123456789ab'. It changes when any file changes. */
  path: string;
  /** Name of the entry script. */
  main: string;
  files: Map<string, { type: string; text: string }>;
}

/** Reads the files. In the working tree, the scripts are TypeScript, whose types it strips; in the published package, they are compiled. */
export function readAssets(): Assets {
  const folder = new URL('./client/', import.meta.url);
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const files: Assets['files'] = new Map();
  files.set('style.css', {
    type: 'text/css; charset=utf-8',
    text: readFileSync(new URL('./style.css', import.meta.url), 'utf8'),
  });
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(extension) || name.endsWith('.d.ts')) continue;
    const text = readFileSync(new URL(name, folder), 'utf8');
    files.set(name, {
      type: 'text/javascript; charset=utf-8',
      text: extension === '.ts' ? module.stripTypeScriptTypes(text) : text,
    });
  }
  const hash = createHash('sha256');
  for (const [name, { text }] of files) hash.update(`${name}\0${text}\0`);
  return { path: `/dashboard/_assets/${hash.digest('hex').slice(0, 12)}`, main: `main${extension}`, files };
}
