// node quick-exporter.ts MILLISECONDS export DOCS …: an export without theme and search, in a fifth of the CPU time, for tests of what the
// server does around it. Each Markdown file is a page with its text; the stage `render` lasts so many milliseconds.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packBundle } from '../../support/pack-bundle.ts';
import { writeFiles } from '../../support/write-files.ts';

const [milliseconds, , docs = '', ...options] = process.argv.slice(2);
const option = (name: string) => options.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3);
const send = (message: object) => writeSync(3, `${JSON.stringify(message)}\n`);
const begin = (stage: string) => send({ type: 'progress', stage, done: 0, total: 1 });
// As the real one does with --stop-at-stdin-end.
process.stdin.once('end', () => process.exit(1)).resume();

begin('read');
const [out, zip, version] = [option('out')!, option('zip')!, option('label') ?? 'quick'];
const sources = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name));
begin('render');
const pages = sources.map((name) => {
  const path = name.replace(/\.mdx?$/, '').replace(/(^|\/)(README|index)$/, '');
  const file = join(path, 'index.html');
  const text = `<!doctype html><html lang="en"><title>${path}</title><p>${readFileSync(join(docs, name), 'utf8')}</p></html>\n`;
  return { path, file, title: path, language: 'en', text };
});
await pause(Number(milliseconds));
begin('index');
begin('write');
const write = (name: string, text: string) => writeFiles(out, { [name]: text });
const notFound = { file: '404.html', text: '<!doctype html><title>Not found</title>\n' };
const files = [...pages, notFound].map(({ file, text }) => {
  write(file, text);
  return [file, { sha256: createHash('sha256').update(text).digest('hex'), size: Buffer.byteLength(text) }];
});
write('carrel.config.js', '// settings\n');
write(
  'carrel.json',
  JSON.stringify({
    format: 1,
    site: 'Quick',
    version,
    deployment: option('deployment') ?? 'client-hosted',
    generator: 'carrel/quick',
    entry: 'index.html',
    indexes: [],
    pages: pages.map(({ text: _, ...page }) => page),
    redirects: [],
    files: Object.fromEntries(files) as object,
  }),
);
begin('archive');
await packBundle(out, zip);
console.log('Archived');
send({ type: 'report', version, pages: pages.length, files: files.length, bytes: statSync(zip).size });
process.exit();
