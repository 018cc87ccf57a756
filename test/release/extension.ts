// The extension for VS Code as a .vsix: a zip of the bundled extension and what says so in the two formats that VS Code reads.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeZip } from '../../integration/output/zip-writer.ts';
import { escapeHtml } from '../../integration/text/escape.ts';

const source = fileURLToPath(new URL('../../src/lsp/vscode/', import.meta.url));

/** Builds the extension into a folder, and returns its path. */
export async function packExtension(folder: string, version: string): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'));
  const temporary = mkdtempSync(join(tmpdir(), 'carrel-extension-'));
  try {
    mkdirSync(join(temporary, 'extension'));
    const texts: Record<string, string> = {
      'extension.vsixmanifest': vsixManifest(manifest, version),
      '[Content_Types].xml': contentTypes,
      'extension/package.json': `${JSON.stringify({ ...manifest, version }, null, 2)}\n`,
      'extension/extension.js': await bundled(),
      'extension/LICENSE.txt': readFileSync(join(source, '../../../LICENSE'), 'utf8'),
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(temporary, name), text);
    const file = join(folder, `carrel-vscode-${version}.vsix`);
    const fd = openSync(file, 'w');
    const names = Object.keys(texts);
    await writeZip(fd, { folder: temporary, names, isStored: () => false, time: new Date() }).finally(() => closeSync(fd));
    return file;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

async function bundled(): Promise<string> {
  const build = await rolldown({ input: join(source, 'extension.ts'), platform: 'node', external: ['vscode'] });
  const { output } = await build.generate({ format: 'cjs', minify: true });
  await build.close();
  return output[0].code;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${['json', 'js', 'txt', 'vsixmanifest']
  .map((name) => `<Default Extension=".${name}" ContentType="${name === 'json' ? 'application/json' : 'text/plain'}" />`)
  .join('')}</Types>
`;

type Manifest = Record<'name' | 'displayName' | 'description' | 'publisher', string> & {
  engines: { vscode: string };
  categories: string[];
};

function vsixManifest({ name, displayName, description, publisher, engines, categories }: Manifest, version: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escapeHtml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeHtml(description)}</Description>
    <Categories>${categories.join()}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escapeHtml(engines.vscode)}" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}
