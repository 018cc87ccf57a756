import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ExportError } from '../../integration/errors.ts';
import { baseUrlSchema } from '../../integration/option-values.ts';
import { checkNotNested, realTarget } from '../../integration/output/output-path.ts';
import { openBundle, type Bundle } from '../../integration/output/open-bundle.ts';
import { shown, shownName } from '../../integration/text/escape.ts';
import { openTarget, parseTarget, type Address } from '../publish/open-target.ts';
import { planPublication, publish, type Plan } from '../publish/publish.ts';
import { stoppable, withSmallYoungSpace } from './own-process.ts';
import { megabytes, uploadPrinter } from './progress.ts';
import { paint, symbol } from './terminal.ts';
import { flag, option, UsageError, defineCommand, type OptionsOf } from './usage.ts';
import { printProblems } from './verify.ts';

const options = {
  endpoint: option(
    // First, because it says where credentials go.
    z
      .string()
      .refine((url) => !URL.canParse(url) || new URL(url).username === '', {
        error: 'must not contain credentials: set AWS_ACCESS_KEY_ID instead',
      })
      .pipe(baseUrlSchema('https://s3.example.com'))
      .optional(),
    'URL',
    'S3-compatible service other than Amazon S3 (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL)',
  ),
  delete: flag('Remove files of earlier publications that the export does not contain'),
  'dry-run': flag('List what would be uploaded, changed and removed, and change nothing'),
};

/** `carrel publish`: its options and how it is used. */
export const command = defineCommand({
  usage: 'publish FOLDER|ZIP TARGET',
  summary: 'Upload what has changed in an export to a bucket (s3://), a folder (file:) or a git branch (git+URL#BRANCH).',
  options,
  examples: [
    ['publish site s3://docs-bucket/product', 'Upload the changed files to a bucket'],
    ['publish docs.zip file:/srv/docs --delete', 'Update the folder of a web server, and remove old files'],
    ['publish site git+https://github.com/OWNER/REPOSITORY#gh-pages', 'Commit the export to the branch of GitHub Pages'],
    ['publish site s3://docs --endpoint https://s3.example.com --dry-run', 'List what would change in another S3 service'],
  ],
  async run({ options: given, words: [source = '', target = ''] }) {
    const address = addressOf(target, given.endpoint, source);
    const { stop, end } = stoppable();
    const bundle = await openBundle(resolve(source));
    try {
      const problems = await withSmallYoungSpace(() => bundle.verify());
      if (problems.length > 0) {
        printProblems(problems);
        console.error(`${symbol('failure', process.stderr)}Nothing was published: ${shown(source)} is not what was exported.`);
        return 1;
      }
      stop.signal.throwIfAborted();
      await publishTo(address, bundle, given, stop.signal);
      return 0;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new ExportError(
        'Stopped',
        'Publishing was stopped. The manifest at the target still lists the previous files.',
        'Run the command again to continue: files that are already there are not uploaded again.',
        { cause: error },
      );
    } finally {
      bundle.close();
      end();
    }
  },
});

function addressOf(text: string, endpoint: string | undefined, source: string): Address {
  const address = parseTarget(text);
  if (typeof address === 'string')
    throw new UsageError(`${address}.`, 'A target is s3://BUCKET/PREFIX, file:PATH or git+URL#BRANCH.');
  if (endpoint !== undefined && address.kind !== 's3')
    throw new UsageError('--endpoint is for a bucket.', 'Remove it, or publish to s3://BUCKET/PREFIX.');
  const isFolder = lstatSync(source, { throwIfNoEntry: false })?.isDirectory();
  if (address.kind === 'file' && isFolder) checkNotNested(address.path, realTarget(address.path), realTarget(source));
  return address;
}

type Given = OptionsOf<typeof options>;

async function publishTo(address: Address, bundle: Bundle, given: Given, signal: AbortSignal): Promise<void> {
  const { site, version } = bundle.manifest;
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = given.endpoint ?? (AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL || undefined);
  const title = `Publish ${shownName(site)} ${version}`;
  const target = await openTarget(address, { endpoint, title, environment: process.env, signal });
  const printer = uploadPrinter(process.stderr);
  try {
    const work = { removesOld: given.delete, onProgress: printer.update, signal };
    const plan = await planPublication(bundle, target, work);
    if (given['dry-run']) {
      console.log([...listed(plan, given.delete), totals(plan, given.delete, 'Would upload')].join('\n'));
      return;
    }
    await publish(bundle, target, plan, work);
    printer.end();
    const what = plan.isDone ? `${site} ${version} is already at` : `Published ${site} ${version} to`;
    console.log(`${symbol('success')}${shown(what)} ${shown(target.shown)}`);
    console.log(paint('dim', totals(plan, given.delete, 'Uploaded')));
  } finally {
    printer.end();
    await target.close();
  }
}

function listed({ uploads, old, inTheWay }: Plan, removesOld: boolean): string[] {
  return [
    ...inTheWay.map((path) => `remove  ${shownName(path)}`),
    ...uploads.map(({ path, size, isNew }) => `${isNew ? 'upload' : 'change'}  ${shownName(path)}  ${size} bytes`),
    ...old.map((path) => `${removesOld ? 'remove' : 'keep  '}  ${shownName(path)}`),
  ];
}

function totals({ uploads, old, total, replaces, isDone }: Plan, removesOld: boolean, verb: string): string {
  const bytes = uploads.reduce((sum, { size }) => sum + size, 0);
  const removal = verb === 'Uploaded' ? 'removed' : 'would remove';
  const rest =
    old.length === 0 ? '' : removesOld ? `, ${removal} ${old.length} old` : `, kept ${old.length} old (--delete removes them)`;
  const previous = replaces && !isDone ? ` The target had ${shownName(replaces.site)} ${shownName(replaces.version)}.` : '';
  return `${verb} ${uploads.length} of ${total.files} files (${megabytes(bytes)} of ${megabytes(total.bytes)} MB)${rest}.${previous}`;
}
