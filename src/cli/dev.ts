import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { ExportError } from '../../integration/errors.ts';
import { shown } from '../../integration/text/escape.ts';
import { defaultCacheFolder } from '../cache/folder.ts';
import { isBuiltSite } from '../export/is-built-site.ts';
import { followChanges } from '../preview/follow-changes.ts';
import { previewDocs } from '../preview/preview-docs.ts';
import { servePreview, type PreviewServer } from '../preview/serve-preview.ts';
import { untilStopped } from './own-process.ts';
import { openInBrowser } from './open-in-browser.ts';
import { issuePrinter } from './preview-issues.ts';
import { paint, symbol } from './terminal.ts';
import {
  cacheOption,
  trustOption,
  commandName,
  flag,
  groupsOption,
  includeRootOption,
  option,
  shellWord,
  text,
  whole,
  defineCommand,
} from './usage.ts';

const options = {
  port: option(
    whole(0, 65_535).optional(),
    'NUMBER',
    'Port to listen on; 0 takes any free one (default: the first free one from 4402)',
  ),
  host: option(text.default('127.0.0.1'), 'HOST', 'Address to listen on (default: 127.0.0.1, which other machines cannot reach)'),
  open: flag('Open the site in your browser'),
  groups: groupsOption,
  'include-root': includeRootOption,
  'trust-components': trustOption,
  cache: cacheOption,
};

/** `carrel dev`: its options and how it is used. */
export const command = defineCommand({
  usage: 'dev [DIR]',
  summary: 'Preview a docs folder in the browser: pages reload when you save a file. Stop it with Ctrl+C.',
  options,
  examples: [
    ['dev ./docs', 'Preview a docs folder at the first free port from 4402'],
    ['dev ./docs --open', 'The same, and open it in your browser'],
    ['dev --port 3000', 'Preview the current folder at a port of your choice'],
  ],
  async run({ options: given, words: [folder = '.'] }) {
    const root = resolve(folder);
    if (isBuiltSite(root))
      throw new ExportError(
        'NotADocsFolder',
        `"${folder}" is a folder of built HTML, which "dev" cannot preview.`,
        `Export it and serve the export: ${commandName(process.env)} export ${shellWord(folder)}`,
      );
    // At 1,000 pages this takes 110 MB less, for a tenth of the time of a change (Node 24.21).
    setFlagsFromString('--semi-space-growth-factor=1');
    const stopped = untilStopped();
    const started = performance.now();
    const docs = previewDocs({
      folder: root,
      cache: given.cache === false ? undefined : (given.cache ?? defaultCacheFolder(process.env)),
      trustComponents: given['trust-components'],
      includeRoots: given['include-root'],
      groups: given.groups,
      now: Date.now,
    });
    const issues = issuePrinter(docs);
    let server: PreviewServer | undefined;
    // From the beginning, so that no change is missed.
    const changes = followChanges(docs, {
      onChange: issues.pause,
      async onState(paths, milliseconds) {
        await server?.publish(paths);
        if (paths !== undefined) console.log(shown(`${namesOf(paths)}: ${duration(milliseconds)}`));
        issues.print();
      },
      onFault: (message) =>
        console.error(
          `${symbol('warning', process.stderr)}Not all folders are watched: ${shown(message)}\nAllow more watches (fs.inotify.max_user_watches), or list folders without docs in .mintignore.`,
        ),
    });
    try {
      const { error, site } = await docs.open();
      if (error instanceof ExportError && isWithoutDocs.has(error.code)) throw error;
      server = await servePreview({ docs, port: given.port, host: given.host, onError: (error) => console.error(error) });
      if (server.isOtherPort) console.log('Another program uses the usual port 4402.');
      console.log(`${symbol('success')}${paint('bold', `${server.address}/`)}`);
      if (site) {
        const pages = `${site.pages} ${site.pages === 1 ? 'page' : 'pages'}`;
        console.log(
          shown(`Previewing ${pages} of ${site.name}, ready in ${duration(performance.now() - started)}. Stop with Ctrl+C.`),
        );
      }
      issues.print();
      const home = `${server.address}/`;
      if (given.open)
        void openInBrowser(home).then(
          (isOpen) => isOpen || console.error(`No program that opens browsers was found. Open ${home} yourself.`),
        );
      await stopped;
      return 0;
    } finally {
      issues.pause();
      await changes.close();
      await server?.close();
      await docs.close();
    }
  },
});

/** Faults of a folder that was named by mistake. */
const isWithoutDocs = new Set(['FolderNotFound', 'FolderEmpty', 'NoPages']);

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function namesOf(paths: string[]): string {
  const [first = 'the folder', ...others] = paths.filter((path) => path !== '');
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
