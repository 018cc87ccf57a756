import type { PreviewedDocs } from './preview-docs.ts';
import { watchFolder, type WatchOptions } from './watch-folder.ts';

export interface FollowOptions extends Pick<WatchOptions, 'onFault'> {
  /** Called when files have changed, before the folder is opened. */
  onChange(): void;
  /** Called after each change; `paths` are those that changed the site, undefined if none did. */
  onState(paths: string[] | undefined, milliseconds: number): Promise<void>;
}

/** Milliseconds that a file which may be half written gets before its fault is shown. */
const untilWritten = 50;

// Every change to these files shows in the pages, if it changes the site. Others are images, stylesheets and scripts, which pages load.
const texts = /\.(?:mdx?|json|ya?ml|[jt]sx)$/i;

/** Opens a docs folder again after each change, one change after another. */
export function followChanges(docs: PreviewedDocs, { onChange, onState, onFault }: FollowOptions) {
  let waiting: string[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  const follow = async (): Promise<void> => {
    while (waiting.length > 0 && !isClosed) {
      const paths = waiting;
      waiting = [];
      const begun = performance.now();
      const before = docs.state();
      const after = await docs.open();
      if (after.fault && !before.fault) {
        await new Promise((resume) => setTimeout(resume, untilWritten));
        await docs.open();
      }
      if (docs.state().revision === before.revision && paths.some((path) => !texts.test(path))) docs.touch();
      const isChanged = docs.state().revision !== before.revision;
      watcher.update();
      await onState(isChanged ? paths : undefined, performance.now() - begun);
    }
  };

  const watcher = watchFolder(docs.root, {
    ignoresFolder: docs.ignoresFolder,
    ignoresFile: docs.ignoresFile,
    onFault,
    onChange(paths) {
      onChange();
      waiting.push(...paths);
      running ??= follow().finally(() => (running = undefined));
    },
  });

  return {
    /** Waits for the change that is being followed. */
    async close(): Promise<void> {
      isClosed = true;
      watcher.close();
      await running;
    },
  };
}
