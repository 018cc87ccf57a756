import AdmZip from 'adm-zip';
import { mkdtempSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { packExtension } from './extension.ts';

test('the extension is one script and a manifest, in the format of VS Code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-extension-'));
  const zip = new AdmZip(await packExtension(folder, '1.2.3'));
  rmSync(folder, { recursive: true });
  const text = (name: string) => zip.readAsText(name);
  expect(text('extension.vsixmanifest')).toContain('Id="carrel" Version="1.2.3" Publisher="carrel"');
  const { main, version } = JSON.parse(text('extension/package.json')) as Record<string, string>;
  expect([main, version]).toEqual(['./extension.js', '1.2.3']);
  const script = text('extension/extension.js');
  // It compiles, and needs only VS Code and Node besides itself.
  new Script(script);
  const required = [...script.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map((match) => match[1]!);
  expect(new Set(required.filter((name) => !isBuiltin(name)))).toEqual(new Set(['vscode']));
  const types = zip.getEntries().map(({ entryName }) => `Extension=".${entryName.split('.').at(-1)}"`);
  expect(types.filter((type) => !text('[Content_Types].xml').includes(type))).toEqual(['Extension=".xml"']);
});
