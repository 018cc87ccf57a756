// File names that Windows, case-insensitive disks and archives accept. They depend only on the paths of the site.
import { createHash } from 'node:crypto';

export type SafeNames = ReturnType<typeof safeNames>;

/**
 * Names for all pages and assets. Of two names that are the same on some disks, the later in code-unit order gets a digest as suffix.
 * `pageFile` returns the file of a page in a built site, which it keeps: scripts of the site may depend on it.
 */
export function safeNames(pages: string[], assets: string[], reserved: string[], pageFile?: (path: string) => string) {
  const taken = new Map<string, string>();
  for (const file of reserved) claimFile(taken, file);
  const pageFiles = new Map<string, string>();
  const markdownFiles = new Map<string, string>();
  const assetFiles = new Map<string, string>();
  for (const path of [...assets].sort()) assetFiles.set(path, allocate(taken, path, safePath(path)));
  if (pageFile) {
    for (const path of [...pages].sort()) pageFiles.set(path, allocate(taken, path, safePath(pageFile(path))));
    for (const path of [...pages].sort()) markdownFiles.set(path, allocate(taken, path, safePath(`${path || 'index'}.md`)));
  }
  for (const path of pageFile ? [] : [...pages].sort()) {
    const folder = safePath(path);
    const files =
      freeFiles(taken, folder) ??
      freeFiles(taken, `${folder}-${shortDigest(path)}`) ??
      filesOf(elsewhere(folder, shortDigest(path)));
    for (const file of files) claimFile(taken, file);
    pageFiles.set(path, files[0]);
    markdownFiles.set(path, files[1]);
  }
  return {
    /** File of a page: 'guides/install/index.html'. */
    page: (path: string): string => found(pageFiles, path),
    /** File of a page's Markdown version: 'guides/install.md'. */
    markdown: (path: string): string => found(markdownFiles, path),
    /** File of the script with a page's Markdown version: 'guides/install.md.js'. */
    markdownScript: (path: string): string => scriptOf(found(markdownFiles, path)),
    /** File of an asset. */
    asset: (path: string): string => found(assetFiles, path),
    /** File for one more path (a redirect's stub); undefined when the name is taken. */
    claim(path: string): string | undefined {
      const file = safePath(path);
      if (!isFree(taken, file)) return undefined;
      claimFile(taken, file);
      return file;
    },
  };
}

/** The files of a page, of its Markdown version and of the script with that. */
function filesOf(name: string): [page: string, markdown: string, script: string] {
  const markdown = safePath(`${name || 'index'}.md`, longestPath + '.md'.length);
  return [name === '' ? 'index.html' : `${name}/index.html`, markdown, scriptOf(markdown)];
}

function scriptOf(markdown: string): string {
  return `${markdown}.js`;
}

/** The same; undefined when one of them is taken. */
function freeFiles(taken: Map<string, string>, name: string): ReturnType<typeof filesOf> | undefined {
  const files = filesOf(name);
  return files.every((file) => isFree(taken, file)) ? files : undefined;
}

/** Windows opens paths of 260 characters; the rest is for the folder that an archive is unpacked into. */
const longestPath = 190;

/** A path of which every segment is a valid file name everywhere. What is changed or cut ends in a digest of the original. */
export function safePath(path: string, most = longestPath): string {
  const safe = path.split('/').map(safeSegment).join('/');
  return safe.length > most ? shortPath(safe, shortDigest(path), most) : safe;
}

/** The first folders of a path, and the beginning of its name. */
function shortPath(path: string, digest: string, most: number): string {
  const folders = path.split('/');
  const name = folders.pop()!;
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  while (folders.join('/').length > most - 80) folders.pop();
  const start = safeSegment(
    Array.from(name.slice(0, name.length - extension.length))
      .slice(0, 30)
      .join(''),
  );
  return [...folders, `${start}-${digest}${extension}`].join('/');
}

// Windows ignores spaces before the extension.
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const forbidden = /[<>:"\\|?*\u0000-\u001f\u007f]/g;
const longest = 200;
// Most names are of this kind, and the checks of thousands of others take a tenth of a second.
const plain = /^[\w-](?:[\w.-]*[\w-])?$/;

/** The Markdown version of a page's file, beside its folder; an export of Markdown alone has no other files. */
export function markdownFile(file: string): string {
  if (file.endsWith('.md')) return file;
  return file === 'index.html' ? 'index.md' : safePath(`${file.replace(/\/index\.html$/, '')}.md`);
}

/** Why Windows would write a path elsewhere than into a file of its name, as the end of a sentence, or undefined: `safePath` gives none of these. */
export function windowsFault(path: string): string | undefined {
  for (const segment of path.split('/')) {
    if (deviceName.test(segment)) return 'has the name of a device of Windows';
    if (segment.search(forbidden) >= 0) return 'has a character in its name that Windows does not accept, or reads as a stream';
    if (/[. ]$/.test(segment)) return 'has a name that ends in a dot or a space, which Windows removes';
  }
  return undefined;
}

function safeSegment(segment: string): string {
  if (plain.test(segment) && segment.length <= longest && !deviceName.test(segment)) return segment;
  const normal = segment.normalize('NFC');
  let safe = normal
    .replace(/\p{Surrogate}/gu, '-')
    .replace(forbidden, '-')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '');
  if (Buffer.byteLength(safe) > longest) safe = cut(safe);
  if (safe === normal && !deviceName.test(safe)) return safe;
  const digest = shortDigest(segment);
  const dot = safe.lastIndexOf('.');
  // The digest comes before the extension, and for `con.md` right after the name that must not stand alone.
  if (deviceName.test(safe)) return safe.replace(/^[^.]*/, (name) => `${name}-${digest}`);
  return dot > 0 ? `${safe.slice(0, dot)}-${digest}${safe.slice(dot)}` : `${safe}-${digest}`;
}

function cut(name: string): string {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  let kept = '';
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > longest - 20) break;
    kept += character;
  }
  return kept + extension;
}

function allocate(taken: Map<string, string>, path: string, wanted: string): string {
  if (isFree(taken, wanted)) {
    claimFile(taken, wanted);
    return wanted;
  }
  const slash = wanted.lastIndexOf('/') + 1;
  const dot = wanted.indexOf('.', slash + 1);
  const at = dot < 0 ? wanted.length : dot;
  const digest = shortDigest(path);
  const withDigest = `${wanted.slice(0, at)}-${digest}${wanted.slice(at)}`;
  const file = isFree(taken, withDigest) ? withDigest : elsewhere(wanted, digest);
  claimFile(taken, file);
  return file;
}

/** The path with another first folder: the conflict may be a file at the path of any of its folders. */
function elsewhere(path: string, digest: string): string {
  return path.replace(/^[^/]*/, (first) => `${first}-${digest}`);
}

/** Whether a file can have this name: the name is not taken, and no parent folder is a file. */
function isFree(taken: Map<string, string>, file: string): boolean {
  const folded = foldName(file);
  if (taken.has(folded)) return false;
  for (let slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) {
    if (taken.get(folded.slice(0, slash)) === 'file') return false;
  }
  return true;
}

function claimFile(taken: Map<string, string>, file: string): void {
  const folded = foldName(file);
  taken.set(folded, 'file');
  for (let slash = folded.lastIndexOf('/'); slash > 0; slash = folded.lastIndexOf('/', slash - 1)) {
    const folder = folded.slice(0, slash);
    if (taken.has(folder)) break;
    taken.set(folder, 'folder');
  }
}

/** Folds names that are the same on case-insensitive disks and on disks that normalize Unicode. */
export function foldName(file: string): string {
  return isAscii.test(file) ? file.toLowerCase() : file.toUpperCase().toLowerCase().normalize('NFC');
}

const isAscii = /^[ -~]*$/;

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

function found(files: Map<string, string>, path: string): string {
  const file = files.get(path);
  if (file === undefined) throw new Error(`"${path}" was not among the named paths.`);
  return file;
}
