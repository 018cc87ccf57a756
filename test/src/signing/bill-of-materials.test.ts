import { cpSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { exportDocs } from '../../../src/export/export-docs.ts';
import { exportHtml } from '../../../src/export/export-html.ts';
import { billOfMaterials } from '../../../src/signing/bill-of-materials.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { carrel } from '../cli/carrel.ts';
import { writeFiles } from '../../support/write-files.ts';

const name = 'carrel-sbom.cdx.json';
const image = 'https://img.example.com/heron.png';
const png = Buffer.from('PNG');

const common = { deployment: 'client-hosted', environment: {}, billOf: billOfMaterials } as const;

interface Component {
  type: string;
  name: string;
  version?: string;
  licenses?: { license: { id: string } }[];
  hashes?: { content: string }[];
  externalReferences?: { url: string }[];
  evidence?: { occurrences: { location: string }[] };
}

/** The components of an export, by name, after checks that hold for every bill. */
async function componentsOf(out: string): Promise<Map<string, Component>> {
  const text = readFileSync(join(out, name), 'utf8');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  const { files } = JSON.parse(readFileSync(join(out, 'carrel.json'), 'utf8'));
  expect(files[name].sha256).toBe(createHash('sha256').update(text).digest('hex'));
  const { components }: { components: Component[] } = JSON.parse(text);
  for (const { evidence } of components)
    for (const { location } of evidence?.occurrences ?? []) expect(Object.keys(files)).toContain(location);
  expect(components.filter(({ type, licenses }) => type === 'library' && licenses?.length !== 1)).toEqual([]);
  const byName = new Map(components.map((one) => [one.name, one]));
  expect(byName.size).toBe(components.length);
  return byName;
}

/** A docs folder of these files, and what exports it. */
function docsOf(files: Record<string, string>) {
  const root = temporaryFolder();
  const source = join(root, 'docs');
  const write = (path: string, text: string) => writeFiles(source, { [path]: text });
  writeFiles(source, files);
  const run = async (cache: string | false = false, out = join(temporaryFolder(), 'site')) => {
    const download = async (url: URL) => ({ bytes: png, type: 'image/png', url });
    const options = { ...common, source, out, cache, vendor: true, download, trustComponents: true };
    // Files that are a moment old count as settled.
    await exportDocs({ ...options, now: Date.now() + 1000 });
    return out;
  };
  return { root, source, write, run };
}

const inEveryExport = [
  '@fontsource-variable/inter',
  '@fontsource/geist-mono',
  '@scalar/helpers',
  '@scalar/snippetz',
  'js-base64',
  'minisearch',
];

test('names what a site has of others, and nothing else: packages in scripts, fonts, icons, formulas, files of other hosts', async () => {
  const { source, run } = docsOf({
    'docs.json': JSON.stringify({
      name: 'Herons',
      icons: { library: 'lucide' },
      navigation: {
        groups: [
          { group: 'Guides', icon: 'feather', pages: ['index'] },
          { group: 'API', openapi: 'parcels.yaml' },
        ],
      },
    }),
    'index.mdx': `---
title: Herons
---

export const Counter = () => {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
};

<Counter />

$$
E = mc^2
$$

<Icon icon="github" iconType="brands" />

![A heron](${image}?signature=secret)
`,
  });
  cpSync(new URL('../../../fixtures/playground/parcels.yaml', import.meta.url), join(source, 'parcels.yaml'));
  const out = await run();
  const components = await componentsOf(out);
  const own = ['@iconify-json/fa6-brands', '@iconify-json/lucide', 'katex', 'preact'];
  const [file, ...packages] = [...components.values()].toReversed().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  expect(packages.map((one) => one.name).sort()).toEqual([...inEveryExport, ...own].sort());
  const manifest = JSON.parse(readFileSync(new URL('../../../node_modules/katex/package.json', import.meta.url), 'utf8'));
  expect(components.get('katex')).toMatchObject({
    ...{ type: 'library', version: manifest.version, licenses: [{ license: { id: manifest.license } }] },
    purl: `pkg:npm/katex@${manifest.version}`,
  });
  const filesOf = (one: string) => components.get(one)?.evidence?.occurrences.map(({ location }) => location);
  expect(filesOf('katex')).toContain('_carrel/formulas/katex.css');
  expect(filesOf('katex')).toContain('_carrel/formulas/fonts/KaTeX_Main-Regular.woff2');
  expect(filesOf('@scalar/snippetz')).toEqual([expect.stringMatching(/^_carrel\/playground\.\w+\.js$/)]);
  expect(filesOf('preact')).toEqual([expect.stringMatching(/^_carrel\/islands\.\w+\.js$/)]);
  expect(filesOf('minisearch')).toEqual([
    expect.stringMatching(/^_carrel\/core\./),
    expect.stringMatching(/^_carrel\/not-found\./),
  ]);
  expect(file).toMatchObject({
    type: 'file',
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(png).digest('hex') }],
    externalReferences: [{ type: 'distribution', url: image }],
    evidence: { occurrences: [{ location: expect.stringMatching(/^_carrel\/vendor\//) }] },
  });
  expect(readFileSync(join(await run(), name), 'utf8')).toBe(readFileSync(join(out, name), 'utf8'));
});

test('names the icon sets of the pages as they are now, also of pages that are not written again', async () => {
  const { root, source, write, run } = docsOf({ 'index.md': '# Home', 'a.mdx': '<Icon icon="rocket" />', 'b.mdx': 'B.' });
  const [out, cache] = [join(root, 'site'), join(root, 'cache')];
  const sets = async () => {
    const all = [...(await componentsOf(await run(cache, out))).keys()];
    expect(all.filter((one) => !one.startsWith('@iconify'))).toEqual(inEveryExport);
    return all.filter((one) => one.startsWith('@iconify'));
  };
  expect(await sets()).toEqual(['@iconify-json/fa6-solid']);
  write('b.mdx', '<Icon icon="github" />');
  expect(await sets()).toEqual(['@iconify-json/fa6-brands', '@iconify-json/fa6-solid']);
  write('a.mdx', 'A.');
  expect(await sets()).toEqual(['@iconify-json/fa6-brands']);
  // An export that is not signed has none.
  await exportDocs({ ...common, source, out, cache, vendor: false, now: Date.now() + 1000, billOf: undefined });
  expect(JSON.parse(readFileSync(join(out, 'carrel.json'), 'utf8')).files[name]).toBeUndefined();
});

test('its own words are not those of pages that its readers may not see', async () => {
  const { run } = docsOf({
    'index.md': '# Herons',
    'secret.md': '---\ngroups: [staff]\n---\n\nComponents, occurrences, evidence and minisearch.',
  });
  expect((await componentsOf(await run())).size).toBe(inEveryExport.length);
});

test('names what Carrel adds to built HTML, and says that this is not all', async () => {
  const root = temporaryFolder();
  const [source, out] = [join(root, 'dist'), join(root, 'site')];
  writeFiles(source, { 'index.html': '<!doctype html><title>A</title><main><h1>A</h1><p>Herons.</p></main>' });
  await exportHtml({ ...common, source, out, now: Date.now(), options: {} });
  expect([...(await componentsOf(out)).keys()]).toEqual(['minisearch']);
  expect(JSON.parse(readFileSync(join(out, name), 'utf8')).compositions).toEqual([
    { aggregate: 'incomplete', assemblies: ['site'] },
  ]);
});

test('is in signed exports, where carrel verify counts what it lists', async () => {
  const root = temporaryFolder();
  writeFiles(root, { 'docs/index.md': '# Herons' });
  const run = (...args: string[]) => carrel(args, { cwd: root });
  await run('signing-key', 'new', 'a', '--no-password');
  expect((await run('export', 'docs', '--out', 'site', '--sign', 'a.key')).code).toBe(0);
  expect((await run('verify', 'site')).stdout).toContain(`Contains:  6 packages of others (${name})\n`);
  expect((await run('export', 'docs', '--out', 'site')).code).toBe(0);
  expect((await run('verify', 'site')).stdout).not.toContain('Contains:');
});
