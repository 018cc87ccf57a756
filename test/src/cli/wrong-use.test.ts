import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from './carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

/** A folder with docs of one page in `docs`, a file `file`, and an export in `site`. */
function emptyFolder(): string {
  const root = temporaryFolder();
  writeFiles(root, { 'docs/index.md': '# Home\n\nSome words.\n' });
  writeFileSync(join(root, 'file'), 'x');
  writeFiles(root, { 'site/carrel.json': '{}' });
  return root;
}

describe('invalid usage exits with 2, and says what is valid', () => {
  test.each([
    [['exprot'], 'Unknown command: exprot. Did you mean export?', 'carrel --help'],
    [['--hlep'], 'Unknown command: --hlep. Did you mean --help?', 'carrel --help'],
    [['constructor'], 'Unknown command: constructor.', 'carrel --help'],
    [['export'], 'Missing argument: DIR', 'export DIR'],
    [['export', 'docs', 'more'], 'Unexpected argument: more', 'export --help'],
    [['export', 'docs', '--zap'], "Unknown option '--zap'", 'export --help'],
    [['export', 'docs', '--out'], '--out', 'export --help'],
    [['export', 'docs', '--out', ''], '--out: must not be empty', 'export --help'],
    [['export', 'docs', '--strict=yes'], '--strict', 'export --help'],
    [['export', 'docs', '--site', 'https://docs.example.com/?a=1#b'], '--site: must be a URL without', 'query or fragment (#)'],
    [['export', 'docs', '--site', 'docs.example.com'], '--site: must be an http(s) URL', 'https://docs.example.com'],
    [['export', 'docs', '--site', 'javascript:alert(1)'], '--site: must be an http(s) URL', 'https://docs.example.com'],
    [
      ['export', 'docs', '--deployment', 'moon'],
      '--deployment: must be one of cloud, client-hosted, air-gapped',
      'export --help',
    ],
    [['export', 'docs', '--social-cards'], '--social-cards needs the URL of the published site', 'Add --site URL.'],
    [['export', 'docs', '--label', '../up'], '--label: must be 1 to 64 letters', 'export --help'],
    [['export', 'docs', '--settings', 'none.json'], '--settings: "none.json" cannot be read', 'export --help'],
    [
      ['export', 'docs', '--settings', '{"features":{"chat":{},"analytics":{"mode":1}}}'],
      'features.analytics.mode must be off, own, providers or both; features Unrecognized key: "chat"',
      'export --help',
    ],
    [['export', 'docs', '--progress-fd', 'three'], '--progress-fd: must be a number', 'export --help'],
    [['export', 'docs', '--progress-fd', '2'], '--progress-fd: must be 3 or more', 'export --help'],
    [['export', 'docs', '--progress-fd', '3'], '--progress-fd: file descriptor 3 is not writable', '3>progress.jsonl'],
    [['export', 'docs', '--progress-fd', '900'], '--progress-fd: file descriptor 900 is not writable', '900>progress.jsonl'],
    [['serve'], 'Missing argument: FOLDER, ZIP, --bundle URL, --watch FOLDER or --refresh-url URL', 'serve FOLDER|ZIP'],
    [['serve', 'site', '--port', 'eighty'], '--port: must be a number', 'serve --help'],
    [['serve', 'site', '--port', '65536'], '--port: must be at most 65535', 'serve --help'],
    [['serve', 'site', '--port', '80.5'], '--port: must be a whole number', 'serve --help'],
    [['verify'], 'Missing argument: FOLDER|ZIP', 'verify FOLDER|ZIP'],
  ])('%j', async (args, message, hint) => {
    const root = emptyFolder();
    const { code, stdout, stderr } = await carrel(args, { cwd: root });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(root).sort()).toEqual(['docs', 'file', 'site']);
  });
});

describe('impossible requests exit with 1 before any work, and change nothing', () => {
  test.each([
    [['export', 'dogs'], 'FolderNotFound', 'dogs'],
    [['export', 'file'], 'FolderNotFound', 'is a file'],
    [['export', 'docs', '--out', 'docs/site'], 'OutputInsideSource', 'docs/site'],
    [['export', 'docs', '--out', '.'], 'SourceInsideOutput', 'contains the docs folder'],
    [['export', 'docs', '--out', 'file'], 'OutputNotFolder', 'file'],
    [['export', 'docs', '--out', 'file/site'], 'OutputNotWritable', 'file/site'],
    [['export', 'docs', '--out', 'n'.repeat(300)], 'OutputNotWritable', 'ENAMETOOLONG'],
    [['export', 'docs', '--zip', 'docs'], 'ArchiveInsideSource', 'docs'],
    [['export', 'docs', '--zip', 'site/a.zip'], 'ArchiveInsideOutput', 'site/a.zip'],
    [['export', 'docs', '--out', 'new', '--zip', 'site'], 'OutputNotFile', 'site'],
    [['export', 'docs', '--zip', 'file/a.zip'], 'OutputNotWritable', 'file/a.zip'],
    [['export', 'docs', '--report', 'file/r.json'], 'OutputNotWritable', 'file/r.json'],
    [['export', 'docs', '--report', 'docs/r.json'], 'ReportInsideSource', 'docs/r.json'],
    [['export', 'docs', '--report', 'site/r.json'], 'ReportInsideOutput', 'site/r.json'],
    [['export', 'docs', '--out', 'new', '--report', 'site'], 'OutputNotFile', 'site'],
    [['export', 'docs', '--zip', 'both', '--report', 'both'], 'ReportIsArchive', 'both'],
    [['export', 'docs', '--zip', 'n'.repeat(300)], 'OutputNotWritable', 'ENAMETOOLONG'],
    [['export', 'docs', '--docs-version', 'v9'], 'VersionNotFound', 'v9'],
    [['serve', 'nowhere'], 'SiteNotFound', 'nowhere'],
    [['serve', 'docs'], 'NotASite', 'docs'],
    [['serve', 'file'], 'BundleNotReadable', 'file'],
    [['verify', 'nowhere'], 'BundleNotFound', 'nowhere'],
    [['verify', 'docs'], 'ManifestMissing', 'docs'],
  ])('%j', async (args, name, words) => {
    const root = emptyFolder();
    const { code, stdout, stderr } = await carrel(args[0] === 'export' ? [...args, '--cache', 'off'] : args, { cwd: root });
    expect(stderr).toContain(`Error (${name}): `);
    expect(stderr).toContain(words);
    // What to do next stands on a line of its own.
    expect(stderr.trimEnd().split('\n').at(-1)).not.toContain('Error (');
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(stderr).not.toContain('Rendering');
    expect([code, stdout]).toEqual([1, '']);
    expect(readdirSync(root).sort()).toEqual(['docs', 'file', 'site']);
    expect(readdirSync(join(root, 'docs'))).toEqual(['index.md']);
    expect(readFileSync(join(root, 'site/carrel.json'), 'utf8')).toBe('{}');
    expect(existsSync(join(root, 'site/index.html'))).toBe(false);
  });
});

test('help and the version exit with 0', async () => {
  for (const args of [[], ['--help'], ['help'], ['--version'], ['export', '--help'], ['serve', '-h'], ['verify', '--help']]) {
    expect((await carrel(args)).code, args.join(' ')).toBe(0);
  }
  const { stdout } = await carrel(['serve', '--help']);
  expect(stdout).toContain('--port');
  expect(stdout).toMatch(/--base/);
});
