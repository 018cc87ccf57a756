// Watches a docs folder. On Linux each folder takes one watch of the system and no memory for its files: libraries that watch every file take
// 7 KB for each, and of 100,000 files more watches than a system usually allows.
import { existsSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { errorCode, errorMessage } from '../../integration/errors.ts';

export interface WatchOptions {
  /** Whether a folder and all that is in it is not watched, by its path in the watched folder. */
  ignoresFolder(path: string): boolean;
  ignoresFile(path: string): boolean;
  /** Called with the paths that changed, when there is no further change for a moment. */
  onChange(paths: string[]): void;
  /** Called once if the system does not allow more watches. */
  onFault(message: string): void;
}

/** Milliseconds without a change after which changes are reported. */
const quiet = 12;
/** A file that is gone is often about to be replaced: many editors write another file and rename it. */
const quietAfterRemoval = 60;
/** Milliseconds between two attempts to find a folder that was removed. */
const untilBack = 500;

export function watchFolder(folder: string, options: WatchOptions) {
  const root = resolve(folder);
  const isRecursive = process.platform === 'darwin' || process.platform === 'win32';
  const watchers = new Map<string, FSWatcher>();
  const changes = collectChanges(options.onChange);
  let isClosed = false;
  let isLimited = false;

  const onEvent = (inFolder: string, event: string, name: string | null): void => {
    // With its own name, Linux reports that a folder is gone; another one can be in its place by now.
    if (event === 'rename' && name === basename(join(root, inFolder))) {
      forget(inFolder);
      visit(inFolder);
      changes.add(inFolder, quietAfterRemoval);
    }
    const path = [inFolder, name?.replaceAll('\\', '/')].filter(Boolean).join('/');
    if (options.ignoresFile(path) || foldersAbove(path).some((one) => options.ignoresFolder(one))) return;
    const stats = statOf(join(root, path));
    if (stats?.isDirectory()) {
      if (event !== 'rename' || options.ignoresFolder(path)) return;
      visit(path);
    } else if (stats === undefined) {
      forget(path);
      if (!existsSync(root)) return waitForRoot();
    }
    changes.add(path, stats === undefined ? quietAfterRemoval : quiet);
  };

  const visit = (path: string): void => {
    if (isClosed || isLimited) return;
    const absolute = join(root, path);
    try {
      if (!watchers.has(path)) {
        const watcher = watch(absolute, { recursive: isRecursive }, (event, name) => onEvent(path, event, name));
        watcher.on('error', () => forget(path));
        watchers.set(path, watcher);
      }
      if (isRecursive) return;
      // Links are not followed: a file that one points to is in the folder itself, or is not part of the docs.
      for (const entry of readdirSync(absolute, { withFileTypes: true })) {
        const inner = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory() && !options.ignoresFolder(inner)) visit(inner);
      }
    } catch (error) {
      // A folder can be gone by now.
      if (!['ENOSPC', 'EMFILE'].includes(errorCode(error) ?? '')) return;
      isLimited = true;
      options.onFault(errorMessage(error));
    }
  };

  const forget = (path: string): void => {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(`${path}/`) && path !== '') continue;
      watcher.close();
      watchers.delete(watched);
    }
  };

  const waitForRoot = (): void => {
    forget('');
    changes.add('', quietAfterRemoval);
    const again = setInterval(() => {
      if (!isClosed && !existsSync(root)) return;
      clearInterval(again);
      visit('');
      changes.add('', quiet);
    }, untilBack);
  };

  visit('');
  return {
    /** Number of watches that the system keeps. */
    count: (): number => watchers.size,
    /** Watches folders that are no longer ignored, and stops watching ignored ones. */
    update(): void {
      for (const path of watchers.keys()) if (path !== '' && options.ignoresFolder(path)) forget(path);
      visit('');
    },
    close(): void {
      isClosed = true;
      changes.close();
      forget('');
    },
  };
}

function foldersAbove(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Collects paths until no further one is added for a moment. */
function collectChanges(onChange: WatchOptions['onChange']) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const report = (): void => {
    const paths = [...changed].sort();
    changed.clear();
    onChange(paths);
  };
  return {
    add(path: string, milliseconds: number): void {
      if (isClosed) return;
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(report, milliseconds);
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
