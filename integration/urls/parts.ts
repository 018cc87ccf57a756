// URLs as authors write them: split, decoded, joined.

/** Whether a URL leaves the site or does not name a file: `https:`, `mailto:`, `data:`, `//host`. */
export function isElsewhere(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(url);
}

/** A URL with its percent signs decoded; those that encode nothing stay. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

/** The path of a file in an export: hosts do not serve folders whose names start with a dot, such as the one of GitBook's images. */
export function publishedPath(path: string): string {
  return path.includes('.gitbook/') ? path.replace(/(^|\/)\.gitbook\//g, '$1gitbook/') : path;
}

/** `query` comes with its `?`, `hash` with its `#`. */
export function splitUrl(url: string): { path: string; query: string; hash: string } {
  const at = url.indexOf('#');
  const beforeHash = at < 0 ? url : url.slice(0, at);
  const question = beforeHash.indexOf('?');
  return {
    path: question < 0 ? beforeHash : beforeHash.slice(0, question),
    query: question < 0 ? '' : beforeHash.slice(question),
    hash: at < 0 ? '' : url.slice(at),
  };
}

/** Without slashes at its ends, `.` and `..` resolved; never above the root. */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

/** Relative URLs as browsers read them in a document at `start`, a decoded root-absolute path; the results are root-absolute. */
export function urlJoiner(start: string): (url: string) => string {
  const document = start.split('/').slice(1).map(encodeURIComponent);
  const folder = document.slice(0, -1);
  return (url) => {
    const { path, query, hash } = splitUrl(url);
    const segments = path === '' ? document.slice() : folder.slice();
    for (const segment of path === '' ? [] : path.split('/')) {
      if (segment === '..') segments.pop();
      else if (segment !== '.') segments.push(segment);
    }
    const isFolder = /(?:^|\/)\.{0,2}$/.test(path) && path !== '';
    return `/${segments.filter(Boolean).join('/')}${isFolder && segments.length > 0 ? '/' : ''}${query}${hash}`.replace(
      /\/{2,}/g,
      '/',
    );
  };
}

/** The folder that a site is published in, such as 'docs'; '' at the root of its host. */
export function publishedFolder({ base, siteUrl }: { base?: string; siteUrl?: string }): string {
  const folder = base?.replace(/^\/+|\/+$/g, '') ?? '';
  return folder !== '' || siteUrl === undefined ? folder : cleanPath(decode(new URL(siteUrl).pathname));
}

/** The rest of a root-absolute path behind the base (`/docs/`), with its slash; undefined when the path lies outside. */
export function withoutBase(path: string, base: string): string | undefined {
  if (path.startsWith(base)) return path.slice(base.length - 1);
  return `${path}/` === base ? '/' : undefined;
}
