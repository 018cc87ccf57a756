import type { Problem } from '../diagnostics.ts';
import type { Manifest } from '../manifest.ts';
import type { ExportFolder } from '../output/export-folder.ts';
import type { RemoteRules } from '../remote/policy.ts';
import type { Resolver, UrlRules } from '../urls/resolver.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import type { ExportAsset } from './assets.ts';

/** What differs between a site of our own theme and an existing site; whoever exports one hands it in once. */
export interface SiteRules {
  urls: UrlRules;
  remote: RemoteRules;
  /** Whether pages keep the files that the site has them in: its scripts may count on them. */
  keepsFiles: boolean;
  /** Other addresses that the files of the site have, each ending in a slash. */
  ownAddresses: string[];
  /** Whether a page has a Markdown version, by its path. */
  hasMarkdown(path: string): boolean;
  /** What the manifest says of the site. */
  manifest: Pick<Manifest, 'guest'>;
  /** Opens what the site needs beside its pages; pages of the same site use it in their `edits`. */
  open?(context: SiteContext): Promise<SiteFixes>;
}

export interface SiteContext {
  assets: ExportAsset[];
  names: SafeNames;
  targets: Resolver;
  folder: ExportFolder;
  /** Files in the export by their external addresses, verbatim. */
  vendored: Map<string, string>;
  problems: Problem[];
  /** Whether files of other origins are vendored. */
  vendors: boolean;
}

/** What is known of the site's files once all pages are written. */
export interface SiteFixes {
  /** Whether a page loads a file as a module. */
  isModule(path: string): boolean;
  /** Whether no page needs a file any more. */
  isLeftOut(path: string): boolean;
  /** Writes the files that the pages were edited to load. */
  write(): Promise<void>;
}
