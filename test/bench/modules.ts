import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Counts the modules of each folder of ours that an export of two pages loads. Those of packages and of the compiled theme are not counted. */
export async function benchModules(repository: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-modules-'));
  try {
    const [docs, list] = [join(folder, 'docs'), join(folder, 'loaded.txt')];
    mkdirSync(docs);
    writeFileSync(join(docs, 'index.md'), '# Home\n\nSee [use](use.md).\n');
    writeFileSync(join(docs, 'use.md'), '# Use\n\nSee [home](index.md).\n\n```js\nlet a = 1;\n```\n');
    const hook = `import { registerHooks } from 'node:module';
      import { appendFileSync } from 'node:fs';
      registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`;
    const run = [
      '--import',
      `data:text/javascript,${encodeURIComponent(hook)}`,
      join(repository, 'src/cli/carrel.ts'),
      'export',
      docs,
    ];
    execFileSync(process.execPath, [...run, '--out', join(folder, 'out'), '--cache', 'off'], { stdio: 'pipe' });
    const own = new Set(
      readFileSync(list, 'utf8')
        .split('\n')
        .filter((url) => url.startsWith('file:'))
        .map((url) => relative(repository, fileURLToPath(url.replace(/[?#].*$/, ''))))
        .filter((path) => /^(?:src|integration|server)\//.test(path) && !path.includes('node_modules')),
    );
    const counts = new Map<string, number>();
    for (const path of own) {
      const name = path.split('/').slice(0, 2).join('/');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(5)}  ${name}`);
    console.log(`${String(own.size).padStart(5)}  modules in all`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
