// The scripts of a guest site: its pages' are gathered one page after another, then written as one.
import type { ExportAsset } from '../export/assets.ts';
import { encodePath, relativeUrl } from '../export/relative-url.ts';
import type { SafeNames } from '../export/safe-names.ts';
import { isElsewhere, type Targets } from '../export/targets.ts';
import type { ExportFolder } from '../export/write.ts';
import type { Problem } from '../problem.ts';
import { bundleModules } from './bundle.ts';
import type { Edit } from '../export/edit.ts';
import { moduleFiles, type InlineModule } from './module-files.ts';
import { editScripts } from './page-scripts.ts';
import type { PageScripts } from './read-scripts.ts';

export interface SiteScriptsInput {
  assets: ExportAsset[];
  names: SafeNames;
  targets: Targets;
  base: string;
  folder: ExportFolder;
  /** Files in the export of addresses that seem to lead elsewhere. */
  vendored: Map<string, string>;
  problems: Problem[];
}

export interface SiteScripts {
  /** How a page changes for its scripts; their modules are noted. */
  edit(page: { path: string; html: string; scripts: PageScripts; others: Edit[] }): Edit[];
  /** Writes `_carrel/app.js`, where any page has a module. */
  write(): Promise<void>;
}

/** Under a fixed name, so that a changed script changes no page. */
const bundleFile = '_carrel/app.js';

export function createSiteScripts({ assets, names, targets, base, folder, vendored, problems }: SiteScriptsInput): SiteScripts {
  const entries = new Map<string, string>();
  const inline = new Map<string, InlineModule>();
  const imports = new Map<string, string>();
  const paths = new Map(assets.map(({ path }) => [encodePath(names.asset(path)), path]));

  return {
    edit({ path, html, scripts, others }) {
      const file = names.page(path);
      const from = encodePath(file);
      const fileOf = (address: string): string | undefined => {
        if (isElsewhere(address)) return vendored.get(address);
        const target = targets.resolve(address, path);
        return target.kind === 'file' ? target.file : undefined;
      };
      const done = editScripts(
        scripts,
        {
          html,
          file,
          address: base + from,
          bundle: relativeUrl(from, bundleFile),
          moduleOf(address) {
            const asset = paths.get(fileOf(address) ?? '');
            return asset === undefined ? undefined : `/${asset}`;
          },
          rewritten(address) {
            const target = targets.resolve(address, path);
            if (target.kind !== 'file' && target.kind !== 'page') return undefined;
            return relativeUrl(from, target.file) + target.query + target.hash;
          },
          isOwn: (address) => !isElsewhere(address) || vendored.has(address),
        },
        others,
      );
      for (const [name, id] of done.entries) entries.set(name, id);
      for (const [id, script] of done.inline) inline.set(id, script);
      for (const [name, address] of done.imports) if (!imports.has(name)) imports.set(name, address);
      problems.push(...done.problems);
      return done.edits;
    },
    async write() {
      if (entries.size === 0) return;
      const nameOf = (path: string) => names.asset(path);
      const files = moduleFiles({ assets, nameOf, base, inline, imports, vendored });
      const { code, problems: found } = await bundleModules({ entries, files, base });
      problems.push(...found);
      folder.write(bundleFile, code);
    },
  };
}
