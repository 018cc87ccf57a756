import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiagramDrawer } from '../../src/markdown/diagram-drawer.ts';
import { ensureTheme } from '../../src/setup/ensure-theme.ts';
import { loadTheme } from '../../src/theme/load.ts';

/** Draws the different diagrams in the Markdown files of folders, and prints by type what became of them. */
export async function benchDiagrams(folders: string[]): Promise<void> {
  const draw = createDiagramDrawer((await loadTheme(await ensureTheme())).drawingProgram);
  const rows = new Map<string, Row>();
  const all = rowOf(rows, 'all');
  for (const source of await sourcesIn(folders)) {
    const start = performance.now();
    const drawing = (await draw([source])).get(source)!;
    const milliseconds = performance.now() - start;
    for (const row of [rowOf(rows, typeOf(source)), all]) {
      row.diagrams++;
      row.milliseconds += milliseconds;
      if ('svg' in drawing) {
        row.drawn++;
        row.bytes += drawing.svg.length;
      } else if (drawing.isInSource) row.code++;
      else row.browser++;
    }
  }
  console.table(
    [...rows]
      .sort(([, a], [, b]) => b.diagrams - a.diagrams)
      .map(([type, { milliseconds, bytes, ...counts }]) => ({
        type,
        ...counts,
        'ms each': Math.round(milliseconds / counts.diagrams),
        'bytes each': Math.round(bytes / Math.max(1, counts.drawn)),
      })),
  );
}

interface Row {
  diagrams: number;
  drawn: number;
  browser: number;
  code: number;
  milliseconds: number;
  bytes: number;
}

function rowOf(rows: Map<string, Row>, type: string): Row {
  let row = rows.get(type);
  if (!row) rows.set(type, (row = { diagrams: 0, drawn: 0, browser: 0, code: 0, milliseconds: 0, bytes: 0 }));
  return row;
}

async function sourcesIn(folders: string[]): Promise<Set<string>> {
  const sources = new Set<string>();
  const fence = /^([ \t>]*)(`{3,}|~{3,})[ \t]*\{?\.?mermaid\b[^\n]*\n([\s\S]*?)\n[ \t>]*\2[ \t]*$/gm;
  for (const folder of folders) {
    for await (const file of glob('**/*.{md,mdx}', { cwd: folder })) {
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      for (const [, indent = '', , body = ''] of text.matchAll(fence)) {
        const lines = body.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
        sources.add(lines.join('\n').trim());
      }
    }
  }
  return sources;
}

function typeOf(source: string): string {
  const bare = source.replace(/^---\n[\s\S]*?\n---/, '').replace(/%%\{[\s\S]*?\}%%/g, '');
  return /^[\w-]+/.exec(bare.replace(/^\s*%%.*$/gm, '').trim())?.[0] ?? 'unknown';
}
