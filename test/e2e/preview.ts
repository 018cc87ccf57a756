// A docs folder of its own for each test, and `carrel dev` on it as a process of its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printedAddress, startCarrel, type Ended } from '../src/cli/carrel.ts';
import { expect, test as base } from './exported.ts';
import { writeFiles } from '../support/write-files.ts';

export interface Preview {
  folder: string;
  address: string;
  child: ReturnType<typeof startCarrel>['child'];
  ended: Promise<Ended>;
  read(file: string): string;
  write(file: string, text: string): void;
}

const docs = {
  'docs.json': JSON.stringify({ name: 'Preview', navigation: { pages: ['index', 'guides/install', 'guides/use'] } }, null, 2),
  'index.mdx': '---\ntitle: Home\n---\n\nWelcome.\n\n[Install](/guides/install)\n',
  'guides/install.mdx': `---\ntitle: Install\n---\n\nThe first sentence.\n\n${Array.from({ length: 80 }, (_, i) => `## Step ${i}\n\nDo step ${i}.\n`).join('\n')}`,
  'guides/use.mdx': '---\ntitle: Use\n---\n\nimport Note from "/snippets/note.mdx"\n\n<Note />\n',
  'snippets/note.mdx': 'A shared note.\n',
};

export const test = base.extend<{ preview: (args?: string[]) => Promise<Preview> }>({
  preview: async ({ servers }, use) => {
    await use(async (args = []) => {
      const root = mkdtempSync(path.join(tmpdir(), 'carrel-dev-'));
      const folder = path.join(root, 'docs');
      writeFiles(folder, docs);
      const preview = await startPreview(folder, args);
      servers.push({
        async close() {
          preview.child.kill('SIGTERM');
          await preview.ended;
          rmSync(root, { recursive: true });
        },
      });
      return preview;
    });
  },
});

/** Starts `carrel dev` on a folder and waits until it says its address. */
export async function startPreview(folder: string, args: string[] = []): Promise<Preview> {
  // Playwright asks programs for colors.
  const { FORCE_COLOR: _, ...env } = process.env;
  const { child, ended } = startCarrel(['dev', folder, '--port', '0', '--cache', 'off', ...args], { env });
  if (process.env.SHOW) child.stderr!.pipe(process.stderr);
  const address = await printedAddress({ child, ended });
  const at = (file: string) => path.join(folder, file);
  return {
    ...{ folder, address, child, ended },
    read: (file) => readFileSync(at(file), 'utf8'),
    write: (file, text) => void writeFiles(folder, { [file]: text }),
  };
}

export { expect };
