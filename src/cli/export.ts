import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { deployments } from '../../integration/manifest.ts';
import { embeddingsKeyVariable } from '../../integration/remote/embeddings.ts';
import { EgressError } from '../../integration/remote/request-report.ts';
import { ExportError } from '../../integration/errors.ts';
import { baseUrlSchema } from '../../integration/option-values.ts';
import { exportMessages, type Progress } from '../../integration/export-messages.ts';
import { checkReport, realTarget } from '../../integration/output/output-path.ts';
import { failedReport, writeReport } from '../../integration/output/write-report.ts';
import type { Embeddings } from '../../integration/export/vectors.ts';
import type { ExportDocsOptions } from '../export/export-docs.ts';
import type { ExportReport } from '../../integration/export/export-site.ts';
import { pageSettingsSchema } from '../../integration/page-settings.ts';
import { withFrame } from '../source/code-frame.ts';
import { fileOrText } from './file-or-text.ts';
import { isBuiltSite } from '../export/is-built-site.ts';
import { stoppable } from './own-process.ts';
import { parseRepository } from '../source/repository.ts';
import { isWritable, progressPrinter } from './progress.ts';
import { outcome, summary } from './summary.ts';
import {
  flag,
  cacheOption,
  groupsOption,
  includeRootOption,
  languageOption,
  list,
  notEmpty,
  signOptions,
  versionOption,
  option,
  trustOption,
  text,
  whole,
  UsageError,
  defineCommand,
  type OptionsOf,
} from './usage.ts';
import type { CarrelOptions } from '../../integration/options.ts';

// Options of `carrel export` that only apply to a folder of built HTML, and `--base`, which applies to both.
// A comma inside brackets or quotes does not separate items.
const selectors = z
  .string()
  .transform(
    (text) => text.match(/(?:[^,([{"']|\([^)]*\)|\[[^\]]*\]|"[^"]*"|'[^']*')+/g)?.flatMap((part) => part.trim() || []) ?? [],
  )
  .refine(notEmpty, { error: 'must not be empty' })
  .optional();

const pairs = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^[^=]*=.+$/.test(part)), { error: 'must have the form path=name,path=name' })
  .transform((parts) => Object.fromEntries(parts.map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])))
  .optional();

const htmlOptions = {
  name: option(text.optional(), 'TEXT', 'Name of the site (default: from its pages)'),
  content: option(selectors, 'LIST', 'CSS selectors of the main content, most preferred first (default: those of common themes)'),
  ignore: option(selectors, 'LIST', 'CSS selectors of elements to exclude from the main content'),
  exclude: option(selectors, 'LIST', 'Pages to exclude: drafts/**,internal'),
  languages: option(pairs, 'LIST', 'Languages by path prefix: fr=fr,pt-br=pt-BR'),
  versions: option(pairs, 'LIST', 'Versions of the docs by path prefix: v1=1.x'),
  search: option(
    z.enum(['button', 'site', 'off'], { error: 'must be one of button, site, off' }).optional(),
    'HOW',
    'Search: button (default), site (it has its own search button) or off',
  ),
  allow: option(selectors, 'LIST', 'Hosts that pages can load from, and --vendor can download from'),
  'no-markdown': z.boolean().optional().meta({ description: 'Omit the Markdown version of every page' }),
};

const options = {
  builder: option(
    z.enum(['docs', 'html'], { error: 'must be docs or html' }).optional(),
    'BUILDER',
    'docs: a docs folder; html: a folder of built HTML (default: as its files are)',
  ),
  out: option(text.default('site'), 'FOLDER', 'Output folder, replaced as a whole; what no export wrote stays (default: site)'),
  zip: option(text.optional(), 'FILE', 'Also write the files as a zip archive'),
  epub: option(text.optional(), 'FILE', 'Also write the pages as a book for e-readers, an EPUB'),
  pdf: option(text.optional(), 'FILE', 'Also write the pages as a PDF, which a Chromium, Chrome or Edge of this machine prints'),
  paper: option(
    z.enum(['a4', 'letter'], { error: 'must be a4 or letter' }).optional(),
    'PAPER',
    'Paper of the PDF: a4 (default) or letter',
  ),
  browser: option(text.optional(), 'PATH', 'Program that prints PDFs, or none (default: a browser of this machine)'),
  only: option(
    z.enum(['markdown'], { error: 'must be markdown' }).optional(),
    'markdown',
    'Write only the Markdown of the pages, llms.txt and the search index, for programs such as "carrel mcp"',
  ),
  report: option(text.optional(), 'FILE', 'Write the results and all issues as JSON'),
  site: option(
    baseUrlSchema('https://docs.example.com').optional(),
    'URL',
    'Public URL of the site: adds canonical links, sitemap.xml and robots.txt',
  ),
  base: option(
    text.optional(),
    'PATH',
    'Path that the site is published at, such as /docs/ (default: from --site or the home page)',
  ),
  repository: option(
    z
      .string()
      .trim()
      .superRefine((given, context) => {
        if (given === 'auto' || given === 'off') return;
        const fault = parseRepository(given);
        if (typeof fault === 'string') context.addIssue({ code: 'custom', message: `${fault}, or auto, or off` });
      })
      .optional(),
    'URL',
    'Repository that pages link to: URL#branch:folder, auto (as git says) or off (default: as docs.json says)',
  ),
  language: languageOption,
  'docs-version': option(text.optional(), 'NAME', 'Export only this version of the docs'),
  paths: option(
    list
      .refine(notEmpty, { error: 'must name at least one page' })
      .transform((paths) => [...new Set(paths)])
      .optional(),
    'LIST',
    'Export only these pages: guides/install,guides/use (a comma in a path is %2C)',
  ),
  groups: groupsOption,
  'include-root': includeRootOption,
  label: versionOption,
  deployment: option(
    z.enum(deployments, { error: `must be one of ${deployments.join(', ')}` }).default('client-hosted'),
    'TYPE',
    `One of ${deployments.join(', ')} (default: client-hosted)`,
  ),
  settings: option(
    fileOrText(pageSettingsSchema).optional(),
    'FILE',
    'Settings of the pages (carrel.config.js): a file with JSON, or the JSON itself',
  ),
  ...signOptions,
  vendor: flag('Download images and videos from external origins into the export'),
  'trust-components': trustOption,
  'social-cards': z
    .boolean()
    .optional()
    .meta({ description: 'Draw an image of each page for social networks: needs --site and the package @takumi-rs/core' }),
  'embeddings-url': option(
    baseUrlSchema('http://127.0.0.1:11434/v1').optional(),
    'URL',
    `OpenAI-compatible server that makes vectors of all sections, for servers to search by meaning; its key is in ${embeddingsKeyVariable}`,
  ),
  'embeddings-model': option(text.optional(), 'NAME', 'Embedding model on that server'),
  cache: cacheOption,
  ...htmlOptions,
  strict: flag('Exit with code 3 when there are warnings'),
  'stop-at-stdin-end': flag('Stop when standard input ends, for programs that start an export'),
  'progress-fd': option(
    whole(3)
      .refine(isWritable, {
        error: ({ input }) => `file descriptor ${String(input)} is not writable; open it: ${String(input)}>progress.jsonl`,
      })
      .optional(),
    'NUMBER',
    'Write progress, issues, report and error as JSON lines to this file descriptor',
  ),
};

/** `carrel export`: its options and how it is used. */
export const command = defineCommand({
  usage: 'export DIR',
  summary:
    'Export a docs folder (docs.json, mint.json or plain Markdown), or a folder of built HTML, as a site that opens straight from disk.',
  options,
  examples: [
    ['export ./docs', 'Export docs to the folder site'],
    ['export ./docs --zip docs.zip --site https://docs.example.com', 'Also write a zip, and canonical links and a sitemap'],
    ['export ./dist --out offline', 'Export the built HTML of another generator'],
  ],
  groups: {
    Content: [
      'builder',
      'language',
      'docs-version',
      'paths',
      'groups',
      'include-root',
      'repository',
      'settings',
      'sign',
      'sign-command',
      'vendor',
      'trust-components',
      'social-cards',
      'embeddings-url',
      'embeddings-model',
    ],
    'A folder of HTML': Object.keys(htmlOptions),
    'For scripts': ['report', 'strict', 'cache', 'stop-at-stdin-end', 'progress-fd'],
  },
  async run({ options: given, words: [folder = ''] }) {
    const messages = given['progress-fd'] === undefined ? undefined : exportMessages(given['progress-fd']);
    const printer = progressPrinter(process.stderr);
    const { stop, end } = stoppable();
    if (given['stop-at-stdin-end'])
      process.stdin
        .once('end', () => stop.abort())
        .once('error', () => stop.abort())
        .resume();
    try {
      const source = resolve(folder);
      const isHtml = isFolderOfHtml(source, given.builder, folder);
      checkForKind(given, isHtml, folder);
      if (given['social-cards'] && given.site === undefined)
        throw new UsageError(
          '--social-cards needs the URL of the published site: links to images must be absolute.',
          'Add --site URL.',
        );
      checkArchives(given, source);
      const signing = await signingOf(given, source, process.env);
      const shared = {
        source,
        out: resolve(given.out),
        zip: given.zip && resolve(given.zip),
        siteUrl: given.site,
        base: given.base,
        environment: process.env,
        now: Date.now(),
        embeddings: await embeddingsOf(given, process.env),
        onProgress: (progress: Progress) => {
          // A folder of HTML is not read before its pages are written.
          if (progress.stage === (isHtml ? 'render' : 'read')) keepYoungSpace(progress.done === progress.total || isHtml);
          if (progress.stage === 'render' && !isHtml && performance.now() > longExport) collectEarly();
          messages?.progress(progress);
          printer.update(progress);
        },
        signal: stop.signal,
        only: given.only,
        attest: signing?.attest,
        billOf: signing?.billOf,
        signedBy: signing?.signedBy,
      };
      const chosen = { label: given.label, deployment: given.deployment, settings: given.settings, vendor: given.vendor };
      collectByDefault();
      const report = await (isHtml ? exportFolderOfHtml : exportDocsFolder)({ ...shared, ...chosen }, given);
      printer.end();
      if (given.report) writeReport(resolve(given.report), report);
      messages?.report(report);
      const entry = given.only ? undefined : pathToFileURL(resolve(given.out, 'index.html')).href;
      // A program that reads messages knows where the files are.
      console.log(
        messages
          ? outcome(report, 'the report lists all of them.')
          : summary(report, { ...given, source, entry, check: signing?.check, environment: process.env }),
      );
      return given.strict && report.warnings.some((problem) => problem.severity !== 'note') ? 3 : 0;
    } catch (error) {
      printer.end();
      const reason = stop.signal.aborted
        ? new ExportError('Stopped', 'The export was stopped. Nothing was changed.', 'Run the command again to start over.')
        : error;
      if (given.report && reason instanceof EgressError) writeReport(resolve(given.report), failedReport(reason));
      messages?.error(reason);
      throw withFrame(reason, resolve(folder));
    } finally {
      end();
      // An input that is still open would keep the process from ending.
      if (given['stop-at-stdin-end']) process.stdin.destroy();
    }
  },
});

type Given = OptionsOf<typeof options>;

function checkArchives({ report, out, ...given }: Given, source: string): void {
  const known = new Map<string, string>();
  for (const name of ['zip', 'epub', 'pdf'] as const) {
    const file = given[name];
    if (report) checkReport(report, out, source, file);
    if (file === undefined) continue;
    const other = known.get(realTarget(file));
    if (other) throw new UsageError(`--${other} and --${name} name the same file.`, 'Give one of them another name.');
    known.set(realTarget(file), name);
  }
}

// Each loads many modules that the other does not need.
async function exportFolderOfHtml(
  { label, deployment, settings, vendor, ...shared }: ExportDocsOptions,
  given: Given,
): Promise<ExportReport> {
  const { exportHtml } = await import('../export/export-html.ts');
  return exportHtml({ ...shared, options: { label, deployment, settings, vendor, ...siteOptions(given) } });
}

async function exportDocsFolder(shared: ExportDocsOptions, given: Given): Promise<ExportReport> {
  const { exportDocs } = await import('../export/export-docs.ts');
  return exportDocs({
    ...shared,
    language: given.language,
    docsVersion: given['docs-version'],
    paths: given.paths,
    groups: given.groups,
    epub: given.epub && resolve(given.epub),
    pdf: given.pdf && resolve(given.pdf),
    paper: given.paper,
    browser: given.browser,
    repository: given.repository,
    trustComponents: given['trust-components'],
    socialCards: given['social-cards'],
    includeRoots: given['include-root'],
    cache: given.cache,
  });
}

/**
 * An export of a few changed pages is short, and other threads read the pages of an existing site: this thread creates little garbage.
 * Collecting often takes up to a tenth more time and saves no memory (Node 24.21).
 */
function collectByDefault(): void {
  setFlagsFromString('--heap-growing-percent=0');
}

/** Milliseconds after which an export of a docs folder is one of many new pages, whose texts are garbage once they are written. */
const longExport = 2000;

function collectEarly(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

/** Bytes that the space for young objects of an export needs: half of it is for copies. */
const enoughYoung = 32 * 1024 * 1024;

/**
 * Called while files are read, and when they are. The text of a written page is garbage; a space that grows only fills with more of it: without growth,
 * exports of real pages take a fifth to a third less memory and no more time (Node 24.21).
 */
function keepYoungSpace(isRead: boolean): void {
  if (isRead || (getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0) >= enoughYoung)
    setFlagsFromString('--semi-space-growth-factor=1');
}

/** Throws an ExportError where built HTML, whose scripts run, is exported as docs. */
function isFolderOfHtml(source: string, builder: 'docs' | 'html' | undefined, folder: string): boolean {
  if (builder === 'html') return true;
  const isHtml = isBuiltSite(source);
  if (builder === undefined || !isHtml) return isHtml;
  throw new ExportError(
    'NotADocsFolder',
    `"${folder}" is a folder of built HTML, not a docs folder.`,
    'Name the folder of its Markdown, or choose the builder html.',
  );
}

/** Options that say where files are and how the export runs, not what it is. */
const notParameters = new Set(
  'include-root out zip epub pdf paper browser report cache settings sign sign-command strict stop-at-stdin-end progress-fd'.split(
    ' ',
  ),
);

/** What signs the export, and the command that checks that. Throws a UsageError if only a command that signs was named. */
async function signingOf(
  given: Given,
  source: string,
  environment: NodeJS.ProcessEnv,
): Promise<(Required<Pick<ExportDocsOptions, 'attest' | 'billOf' | 'signedBy'>> & { check: string }) | undefined> {
  const { sign: file, 'sign-command': command, out } = given;
  if (file === undefined && command === undefined) return undefined;
  const started = new Date();
  const [{ attest }, { billOfMaterials }, { checkCommand, openSignerOf }] = await Promise.all([
    import('../signing/attest.ts'),
    import('../signing/bill-of-materials.ts'),
    import('./signing.ts'),
  ]);
  const signer = (await openSignerOf(given, environment))!;
  const isSet = ([name, value]: [string, unknown]) => !notParameters.has(name) && value !== undefined && value !== false;
  const provenance = { source, parameters: Object.fromEntries(Object.entries(given).filter(isSet)), environment, started };
  return {
    attest: (manifest, remote) =>
      attest(manifest, { signer, out: resolve(out), now: new Date(), provenance: { ...provenance, remote } }),
    billOf: billOfMaterials,
    signedBy: signer.publicKey.id,
    check: checkCommand(signer.publicKey, out),
  };
}

/** The embedding model that was named. Throws a UsageError if half of it was. */
async function embeddingsOf(
  { 'embeddings-url': url, 'embeddings-model': name }: Given,
  environment: NodeJS.ProcessEnv,
): Promise<Omit<Embeddings, 'cache'> | undefined> {
  if (url === undefined && name === undefined) return undefined;
  if (url === undefined || name === undefined)
    throw new UsageError(
      '--embeddings-url and --embeddings-model belong together.',
      `Add ${url === undefined ? '--embeddings-url URL' : '--embeddings-model NAME'}.`,
    );
  const model = { url, model: name, key: environment[embeddingsKeyVariable] };
  const { createEmbed } = await import('../../server/platform/embed.ts');
  return { model, embed: createEmbed(model) };
}

/** The options in the form that the integration takes. */
function siteOptions(given: z.infer<z.ZodObject<typeof htmlOptions>>): CarrelOptions {
  const { name, content, ignore, exclude, languages, versions, search, allow } = given;
  return { name, content, ignore, exclude, languages, versions, search, allow, markdown: !given['no-markdown'] };
}

const onlyHtml = Object.keys(htmlOptions);
const onlyDocs = 'epub pdf paper browser repository language docs-version paths groups cache trust-components social-cards'.split(
  ' ',
);

/** Throws a UsageError that names options for the other kind of folder, or that exclude each other. */
function checkForKind(given: Record<string, unknown>, isHtml: boolean, folder: string): void {
  if (given.only && given['no-markdown'])
    throw new UsageError('--only markdown and --no-markdown exclude each other.', 'Remove one of them.');
  for (const book of ['epub', 'pdf'])
    if (given.only && given[book])
      throw new UsageError(`--only markdown and --${book} exclude each other.`, 'Remove one of them.');
  const foreign = (isHtml ? onlyDocs : onlyHtml).filter((name) => given[name] !== undefined);
  if (foreign.length === 0) return;
  const [kind, other] = isHtml ? ['a folder of HTML', 'docs folders'] : ['a docs folder', 'folders of HTML'];
  throw new UsageError(
    `"${folder}" is ${kind}, but ${foreign.map((name) => `--${name}`).join(', ')} only ${foreign.length === 1 ? 'applies' : 'apply'} to ${other}.`,
    'Remove the option, or name another folder.',
  );
}
