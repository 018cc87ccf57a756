import type { Manifest } from '../../integration/manifest.ts';
import { openBundle } from '../../integration/output/open-bundle.ts';
import { markdownFile } from '../../integration/urls/safe-names.ts';

export type ExportedPage = Manifest['pages'][number];

export interface ComparedPages {
  added: ExportedPage[];
  changed: ExportedPage[];
  removed: ExportedPage[];
}

/** The manifest of an export, a folder or a zip. */
export async function manifestOf(path: string): Promise<Manifest> {
  const bundle = await openBundle(path);
  bundle.close();
  return bundle.manifest;
}

type Pages = Pick<Manifest, 'pages' | 'files'>;

/** The pages that differ from those of an earlier export. A page has changed when its Markdown has, or its HTML where it has none. */
export function comparePages(earlier: Pages, now: Pages): ComparedPages {
  const before = new Map(earlier.pages.map((page) => [page.path, page]));
  const after = new Set(now.pages.map(({ path }) => path));
  const digest = ({ files }: Pages, { file }: ExportedPage) => (files[markdownFile(file)] ?? files[file])?.sha256;
  return {
    added: now.pages.filter(({ path }) => !before.has(path)),
    changed: now.pages.filter((page) => {
      const old = before.get(page.path);
      return old && (old.title !== page.title || digest(earlier, old) !== digest(now, page));
    }),
    removed: earlier.pages.filter(({ path }) => !after.has(path)),
  };
}
