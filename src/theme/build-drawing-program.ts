import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { create } from 'fontkitten';
import { build } from 'vite';
import { hashedName } from '../../integration/reader-build/build-reader-scripts.ts';

const require = createRequire(import.meta.url);

/** Bundles the program that draws diagrams during an export, with all that it needs but Mermaid. Gives its path in the folder above. */
export async function writeDrawingProgram(root: string, folder: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { WIDTHS: JSON.stringify(characterWidths()) },
    ssr: { noExternal: true },
    build: {
      write: false,
      minify: true,
      target: 'node22',
      ssr: join(root, 'src/theme/drawing/program.ts'),
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  });
  const [output] = 'on' in result ? [] : [result].flat();
  const [chunk, ...others] = output?.output ?? [];
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('The drawing program was not compiled into one file.');
  const name = hashedName('program', chunk.code, 'cjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), chunk.code);
  return `drawing/${name}`;
}

const subsets = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];

/** Advance widths of the theme's font by character, in thousandths of the font size. */
function characterWidths(): Record<string, number> {
  const widths: Record<string, number> = {};
  for (const subset of subsets) {
    const file = require.resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`);
    const font = create(readFileSync(file));
    if (!('glyphForCodePoint' in font)) throw new Error(`${file} is not a font.`);
    for (const point of font.characterSet) {
      const { advanceWidth } = font.glyphForCodePoint(point);
      widths[String.fromCodePoint(point)] ??= Math.round((advanceWidth / font.unitsPerEm) * 1000);
    }
  }
  return widths;
}
