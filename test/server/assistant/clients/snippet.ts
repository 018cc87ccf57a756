import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { atFileEnd } from '../../../support/at-file-end.ts';

const manual = readFileSync(new URL('../../../../src/manual/assistant.mdx', import.meta.url), 'utf8');

/** A code block of the manual's page of the assistant, by its title, with an endpoint and a key in the places of those it shows. */
export function snippet(title: string, { base, domain, key }: { base: string; domain: string; key: string }): string {
  const [, language, code] = new RegExp(`^\`\`\`(\\w+) ${title.replace('.', '\\.')}\n([^]*?)^\`\`\``, 'm').exec(manual)!;
  const here = code!
    .replaceAll('https://carrel.example.com/discovery', base)
    .replaceAll('docs.example.com', domain)
    .replaceAll('svc_dsc_…', key);
  if (language === undefined || here === code) throw new Error(`"${title}" asks no endpoint.`);
  return here;
}

/** Runs TypeScript with JSX as a module; `packages` says which build a package's name stands for. */
export async function importSnippet<Module>(code: string, packages: Record<string, string>): Promise<Module> {
  const { code: plain } = await transformWithOxc(code, 'snippet.tsx', { jsx: { runtime: 'automatic' } });
  const resolved = plain.replace(/(?<=from ")[^"]+(?=")/g, (name) => import.meta.resolve(packages[name] ?? name));
  const folder = mkdtempSync(join(tmpdir(), 'carrel-snippet-'));
  atFileEnd(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'snippet.mjs');
  writeFileSync(file, resolved);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
}
