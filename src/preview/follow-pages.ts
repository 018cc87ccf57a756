// The pages that a preview has shown and the docs folder does not have any more: renamed, or deleted.
import { encodePath } from '../../integration/urls/relative-url.ts';
import type { SourcePage } from '../source/source.ts';

type Shown = Pick<SourcePage, 'file' | 'digest'>;

/** What a browser says of the page on the screen. */
export interface GonePage {
  message: string;
  /** Of the page under its new name. */
  url?: string;
}

export function followPages() {
  let pages = new Map<string, Shown>();
  const gone = new Map<string, Shown & { to?: string }>();
  return {
    /** Takes the pages of the next state by the files that show them. */
    update(next: Map<string, Shown>): void {
      const removed = [...pages].filter(([name]) => !next.has(name));
      const added = [...next].filter(([name]) => !pages.has(name));
      for (const [name] of added) gone.delete(name);
      for (const [name, page] of removed) gone.set(name, page);
      for (const [name, { file, digest, to }] of gone) {
        // A page that was changed while it was renamed is the only one that came when it went.
        const isOnly = removed.length === 1 && added.length === 1 && removed[0]![0] === name;
        const found = added.find(([, one]) => one.digest === digest) ?? (isOnly ? added[0] : undefined);
        if (found && to === undefined) gone.set(name, { file, digest, to: found[0] });
      }
      pages = next;
    },
    of(name: string): GonePage | undefined {
      const page = gone.get(name);
      if (!page) return undefined;
      let to = page.to;
      for (let steps = 0; steps < gone.size && to !== undefined && gone.has(to); steps++) to = gone.get(to)!.to;
      const shown = to === undefined ? undefined : pages.get(to);
      if (to === undefined || !shown) return { message: `${page.file} was deleted.` };
      return {
        message: `${page.file} was renamed to ${shown.file}.`,
        url: `/${encodePath(to.replace(/(^|\/)index\.html$/, '$1'))}`,
      };
    },
  };
}
