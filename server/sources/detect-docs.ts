// What a list of files contains, by the names of the files alone: which folder has docs, and how they are built.

export const docsKinds = ['docs-json', 'markdown', 'astro', 'html', 'none'] as const;
type DocsKind = (typeof docsKinds)[number];

interface DocsFolder {
  /** '' is the whole repository. */
  folder: string;
  kind: DocsKind;
  /** Markdown files, or HTML files of a built site. */
  pages: number;
}

export interface Detection extends DocsFolder {
  /** Whether the asked folder exists; an empty source has none. */
  exists: boolean;
  /** Other folders that have docs, the likeliest first. */
  others: DocsFolder[];
}

const mostOthers = 10;
// Each is looked for in all files.
const mostFolders = 50;
// What a repository of a program has at its top, and what package managers install.
const notDocs =
  /^(?:readme|changelog|changes|history|contributing|code_of_conduct|security|licen[cs]e|support|authors|agents|claude)\.mdx?$/i;
const skipped = /(?:^|\/)(?:node_modules|vendor|bower_components|\.[^/]+)\//;
const samples = /^(?:_{0,2}(?:tests?|fixtures?|specs?|e2e|examples?|samples?|demos?|templates?|starters?)_{0,2})$/i;
const usualNames = ['docs', 'doc', 'documentation', 'website', 'site', 'content'];

/**
 * What `folder` contains, and which other folders have docs. Without a folder, the whole repository is taken if it has docs at its top, else the
 * likeliest folder.
 */
export function detectDocs(files: string[], folder: string | undefined): Detection {
  const exists = (inside: string) => files.some((file) => inside === '' || file.startsWith(`${inside}/`));
  const found = docsFolders(files.filter((file) => !skipped.test(file)));
  const detection = (taken: DocsFolder) => ({
    ...taken,
    exists: exists(taken.folder),
    others: found.filter((one) => one.folder !== taken.folder && !isPartOf(one, taken)).slice(0, mostOthers),
  });
  const whole = contents(files, folder ?? '');
  const [best] = found;
  return detection(folder || !best || isWhole(whole, files) ? whole : best);
}

/** Whether a folder has further pages of the site around it, instead of docs of its own. */
function isPartOf({ folder, kind }: DocsFolder, around: DocsFolder): boolean {
  const isInside = around.folder === '' || folder.startsWith(`${around.folder}/`);
  return isInside && kind === around.kind && (kind === 'html' || kind === 'markdown');
}

/** Whether the top has docs of its own, rather than a folder below it. */
function isWhole({ kind }: DocsFolder, files: string[]): boolean {
  if (kind === 'markdown') return files.some((file) => /^index\.mdx?$/i.test(file));
  if (kind === 'html') return files.some((file) => /^index\.html?$/i.test(file));
  return kind === 'docs-json' || kind === 'astro';
}

/** The kind of a folder, whatever its name is. */
function contents(files: string[], folder: string): DocsFolder {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length))
    .filter((file) => !skipped.test(file));
  const markdown = inside.filter((file) => /\.mdx?$/i.test(file));
  const html = inside.filter((file) => /\.html?$/i.test(file));
  const has = (pattern: RegExp) => inside.some((file) => pattern.test(file));
  const pages = markdown.length;
  const isBuilt = has(/^index\.html?$/i) && withoutVersions(markdown, inside).length < html.length;
  if (has(/^(?:docs|mint)\.json$/)) return { folder, kind: 'docs-json', pages };
  if (has(/^astro\.config\.[cm]?[jt]s$/)) return { folder, kind: 'astro', pages };
  if (isBuilt) return { folder, kind: 'html', pages: html.length };
  if (markdown.some((file) => !notDocs.test(file))) return { folder, kind: 'markdown', pages };
  // Programs have HTML that is not a site. A named folder is taken as it is.
  if (html.length > 0 && folder !== '') return { folder, kind: 'html', pages: html.length };
  // Better than nothing: a README is a page.
  return pages > 0 ? { folder, kind: 'markdown', pages } : { folder, kind: 'none', pages: 0 };
}

/** Markdown files that are not the Markdown version of a page of HTML. */
function withoutVersions(markdown: string[], files: string[]): string[] {
  const all = new Set(files);
  return markdown.filter((file) => {
    const name = file.replace(/\.mdx?$/i, '');
    return !all.has(`${name}.html`) && !all.has(`${name}/index.html`);
  });
}

/** Folders below the top that have docs of their own, the likeliest first. */
function docsFolders(files: string[]): DocsFolder[] {
  const names = new Set<string>();
  const configured = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    const name = parts.pop()!;
    const folder = parts.join('/');
    if (folder === '') continue;
    if (/^(?:docs|mint)\.json$|^astro\.config\.[cm]?[jt]s$/.test(name)) configured.add(folder);
    if (configured.has(folder) || /^index\.(?:mdx?|html)$/i.test(name)) names.add(folder);
    const usual = parts.findIndex((part) => usualNames.includes(part.toLowerCase()));
    if (/\.mdx?$/i.test(name) && usual >= 0) names.add(parts.slice(0, usual + 1).join('/'));
  }
  const outer: DocsFolder[] = [];
  const outermost = [...names].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, mostFolders);
  for (const folder of outermost) {
    const around = outer.findLast((one) => folder.startsWith(`${one.folder}/`));
    // A configuration says where docs begin; a plain folder around it only contains them.
    if (around && (around.kind !== 'markdown' || !configured.has(folder))) continue;
    const found = contents(files, folder);
    if (found.kind !== 'none') outer.push(found);
  }
  return outer.toSorted(
    (a, b) =>
      Number(isSample(a)) - Number(isSample(b)) ||
      ranks[a.kind] - ranks[b.kind] ||
      usual(a) - usual(b) ||
      depth(a.folder) - depth(b.folder) ||
      b.pages - a.pages,
  );
}

const ranks: Record<DocsKind, number> = { 'docs-json': 0, astro: 1, markdown: 2, html: 3, none: 4 };

/** Docs that a program is tested with, or that show how to begin. */
function isSample({ folder }: DocsFolder): boolean {
  return folder.split('/').some((part) => samples.test(part));
}

/** Whether docs are often in a folder of this name. */
export function isUsualName(path: string): boolean {
  return usualNames.includes(path.split('/').at(-1)!.toLowerCase());
}

function usual({ folder }: DocsFolder): number {
  const at = usualNames.indexOf(folder.split('/').at(-1)!.toLowerCase());
  return at < 0 ? usualNames.length : at;
}

function depth(folder: string): number {
  return folder.split('/').length;
}
