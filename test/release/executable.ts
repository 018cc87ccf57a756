// A single file that is Carrel: Node with the installed package in it, as an asset of a "single executable application". Workers, native code and WebAssembly
// must be files, so its first start unpacks the package (start-executable.ts).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { npm } from './npm.ts';

/** What an executable contains, in the order of its archive. */
export interface Contents {
  /** SHA-256 of the archive. */
  digest: string;
  files: { path: string; size: number }[];
}

/** Builds the executable of an npm archive for this system, compressed at a level of zstd. Returns its path. */
export async function buildExecutable(archive: string, folder: string, version: string, level: number): Promise<string> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const executable = join(folder, `carrel-${version}-${process.platform}-${process.arch}${suffix}`);
  const temporary = mkdtempSync(join(tmpdir(), 'carrel-executable-'));
  try {
    writeFileSync(join(temporary, 'package.json'), '{ "private": true }');
    npm(temporary, 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', archive);
    const { contents, bytes } = packed(temporary, level);
    writeFileSync(join(temporary, 'contents.json'), JSON.stringify(contents));
    writeFileSync(join(temporary, 'archive'), bytes);
    await bundleStart(join(temporary, 'start.cjs'));
    const configuration = {
      main: 'start.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      assets: { 'contents.json': 'contents.json', archive: 'archive' },
    };
    writeFileSync(join(temporary, 'sea.json'), JSON.stringify(configuration));
    execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: temporary, stdio: 'pipe' });
    mkdirSync(folder, { recursive: true });
    insertProgram(executable, join(temporary, 'blob'));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return executable;
}

/** The installed packages, without what only compilers and debuggers read. */
function packed(folder: string, level: number): { contents: Contents; bytes: Buffer } {
  const paths = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:d\.[cm]?ts|map)$|^\.package-lock\.json$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
  const texts = paths.map((path) => readFileSync(join(folder, path)));
  const archive = Buffer.concat(texts);
  const files = paths.map((path, index) => ({ path, size: texts[index]!.length }));
  const digest = createHash('sha256').update(JSON.stringify(files)).update(archive).digest('hex');
  return {
    contents: { digest, files },
    bytes: zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: level } }),
  };
}

async function bundleStart(file: string): Promise<void> {
  const build = await rolldown({ input: fileURLToPath(new URL('start-executable.ts', import.meta.url)), platform: 'node' });
  await build.write({ file, format: 'cjs' });
  await build.close();
}

/** Copies the Node that runs this program, and puts a program in. */
function insertProgram(executable: string, program: string): void {
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  const isMac = process.platform === 'darwin';
  // macOS runs no program that differs from what its signature says.
  if (isMac) execFileSync('codesign', ['--remove-signature', executable]);
  const postject = fileURLToPath(new URL('../../node_modules/postject/dist/cli.js', import.meta.url));
  const mark = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  execFileSync(process.execPath, [postject, executable, 'NODE_SEA_BLOB', program, ...mark, ...segment], { stdio: 'pipe' });
  if (isMac) execFileSync('codesign', ['--sign', '-', executable]);
}
