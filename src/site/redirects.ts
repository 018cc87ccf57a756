import { posix } from 'node:path';
import type { Position, Problem } from '../../integration/diagnostics.ts';
import { destinationFault } from '../../integration/html/redirect-stub.ts';
import type { Page, Redirect, RedirectRule } from './model.ts';
import { isExternal, normalPath } from './page-paths.ts';
import { escapePattern } from '../../integration/text/path-patterns.ts';

interface ConfiguredRedirect {
  source: string;
  destination: string;
}

/** Position of a text in the configuration. */
type PositionOfText = (text: string) => Position | undefined;

interface ReadRedirects {
  rules: RedirectRule[];
  problems: Problem[];
}

/** Checks configured redirects. Malformed ones are reported and skipped. `inSite` gives the path of a page by one that is written. */
export function redirectRules(
  configured: readonly ConfiguredRedirect[],
  configFile: string,
  at?: PositionOfText,
  inSite = normalPath,
): ReadRedirects {
  const rules: RedirectRule[] = [];
  const problems: Problem[] = [];
  for (const { source, destination } of configured) {
    const fault = faultOf(source, destination);
    if (fault) {
      problems.push(
        redirectProblem(
          'redirect-malformed',
          { page: configFile, ...at?.(source) },
          `The redirect from "${source}" to "${destination}" ${fault}. It is ignored.`,
        ),
      );
    } else {
      const path = inSite(source);
      rules.push({ source: `/${path}`, written: source, destination: target(destination, inSite), ...compile(path) });
    }
  }
  return { rules, problems };
}

/** Redirects from the URLs that a page of Hugo (`aliases`) or Jekyll (`redirect_from`) had. */
export function formerUrls({ path, source: { frontmatter } }: Pick<Page, 'path' | 'source'>): ConfiguredRedirect[] {
  return [frontmatter.aliases, frontmatter.redirect_from].flat().flatMap((url) => {
    if (typeof url !== 'string' || !/^[^?#*:]+$/.test(url)) return [];
    // Hugo resolves `old` beside the page.
    return { source: posix.resolve('/', posix.dirname(path), url.replace(/\.html$/, '')), destination: `/${path}` };
  });
}

// Longer chains come from patterns that lengthen every path.
const longestChain = 20;

/**
 * Resolves a path through the rules: follows a chain to its end or to the first page.
 * Undefined when no rule applies or the chain is circular.
 */
export function redirectFor(rules: readonly RedirectRule[], pages: ReadonlySet<string>, path: string): string | undefined {
  let page = normalPath(path);
  let result: string | undefined;
  for (let length = 0; length < longestChain; length++) {
    const next = step(rules, page);
    if (next === undefined) return result;
    result = next;
    if (isExternal(next) || /[?#]/.test(next)) return result;
    page = normalPath(next);
    if (pages.has(page)) return result;
  }
  return undefined;
}

/**
 * Expands redirects to a list over known pages. A pattern becomes one redirect for each page that its destination matches
 * (`/old/*` → `/new/*` for `new/a`, `new/b`), and one for its own prefix if the destination is fixed.
 */
export function expandRedirects(
  rules: readonly RedirectRule[],
  pages: ReadonlySet<string>,
  isFile: (path: string) => boolean,
  configFile: string,
  at?: PositionOfText,
): { redirects: Redirect[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const locationOf = ({ written }: RedirectRule) => ({ page: configFile, ...at?.(written) });
  const redirects = new Map<string, string>();
  for (const rule of rules) {
    for (const from of sourcesOf(rule, pages)) {
      if (redirects.has(from)) continue;
      const to = redirectFor(rules, pages, from);
      if (to === undefined) {
        problems.push(
          redirectProblem(
            'redirect-loop',
            locationOf(rule),
            `The redirect from "${rule.source}" to "${rule.destination}" leads back to itself. It is ignored.`,
          ),
        );
        break;
      }
      if (pages.has(from)) {
        if (rule.names.length === 0) {
          problems.push(
            redirectProblem(
              'redirect-from-page',
              locationOf(rule),
              `"${rule.source}" is redirected to "${to}", but a page exists at that path. The page is used.`,
            ),
          );
        }
        continue;
      }
      const path = normalPath(to.replace(/[?#].*$/s, ''));
      if (!isExternal(to) && path !== '' && !pages.has(path) && !isFile(path)) {
        const message = `The redirect from "${rule.source}" points to "${to}", where no page exists. It is skipped.`;
        problems.push(redirectProblem('redirect-without-target', locationOf(rule), message));
        continue;
      }
      redirects.set(from, to);
    }
  }
  const sorted = [...redirects].map(([from, to]): Redirect => ({ from, to })).sort((a, b) => (a.from < b.from ? -1 : 1));
  return { redirects: sorted, problems };
}

function step(rules: readonly RedirectRule[], page: string): string | undefined {
  const { fixed, patterns } = sorted(rules);
  const exact = fixed.get(page);
  for (const { rule, position } of patterns) {
    if (exact && exact.position < position) break;
    const match = rule.pattern.exec(page);
    if (!match) continue;
    const values = new Map(rule.names.map((name, index) => [name, match[index + 1] ?? '']));
    const destination = rule.destination.replace(wildcard, (whole, name: string | undefined) => values.get(name ?? '*') ?? whole);
    // Captured parts of a path must not turn it into the URL of another site.
    return isExternal(rule.destination) ? destination.trim() : rooted(destination.trim());
  }
  return exact?.rule.destination;
}

interface SortedRules {
  /** The first rule for each source without a wildcard. Most rules are of this kind; finding them by name keeps thousands of them cheap. */
  fixed: Map<string, { rule: RedirectRule; position: number }>;
  patterns: { rule: RedirectRule; position: number }[];
}

const sortedRules = new WeakMap<readonly RedirectRule[], SortedRules>();

function sorted(rules: readonly RedirectRule[]): SortedRules {
  let known = sortedRules.get(rules);
  if (!known) {
    known = { fixed: new Map(), patterns: [] };
    for (const [position, rule] of rules.entries()) {
      const source = rule.source.slice(1);
      if (rule.names.length > 0) known.patterns.push({ rule, position });
      else if (!known.fixed.has(source)) known.fixed.set(source, { rule, position });
    }
    sortedRules.set(rules, known);
  }
  return known;
}

/** The paths that a rule redirects, as far as they are known. */
function sourcesOf(rule: RedirectRule, pages: ReadonlySet<string>): string[] {
  const source = rule.source.slice(1);
  if (rule.names.length === 0) return [source];
  const destination = isExternal(rule.destination) ? null : compile(normalPath(rule.destination.replace(/[?#].*$/s, '')));
  const start = source.slice(0, source.search(wildcard)).replace(/\/$/, '');
  const isOpen = source === `${start}/*` || /^[^:*]*\/:[\w-]+\*$/.test(source);
  const fixed = isOpen && start && !rule.names.some((name) => destination?.names.includes(name)) ? [start] : [];
  if (!destination || destination.names.length === 0) return fixed;
  const found = [...pages].flatMap((page) => {
    const match = destination.pattern.exec(page);
    if (!match) return [];
    const values = new Map(destination.names.map((name, index) => [name, match[index + 1] ?? '']));
    if (!rule.names.every((name) => values.has(name))) return [];
    return [normalPath(source.replace(wildcard, (_, name: string | undefined) => values.get(name ?? '*') ?? ''))];
  });
  return [...fixed, ...found];
}

const wildcard = /:([A-Za-z_][\w-]*)\*?|\*/g;

function compile(path: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  let pattern = '';
  let at = 0;
  for (const match of path.matchAll(wildcard)) {
    const before = path.slice(at, match.index);
    const isRest = match[0].endsWith('*');
    // `/a/:rest*` matches `/a` too: the slash belongs to the rest.
    const joins = isRest && before.endsWith('/');
    pattern += escapePattern(joins ? before.slice(0, -1) : before) + (joins ? '(?:/(.*))?' : isRest ? '(.*)' : '([^/]+)');
    names.push(match[1] ?? '*');
    at = match.index + match[0].length;
  }
  return { pattern: new RegExp(`^${pattern}${escapePattern(path.slice(at))}$`, 's'), names };
}

function faultOf(source: string, destination: string): string | undefined {
  if (/[#?]/.test(source)) return 'has "#" or "?" in its source, which servers do not match';
  if (isExternal(source)) return 'starts at another site';
  if (/[^\S ]|[\])(<>"]/.test(source.trim())) return 'has a source that is not a path';
  const fault = destinationFault(destination);
  if (fault) return fault;
  if (/[^\S ]|[\])(<>"]/.test(destination.trim()) || destination.trim() === '') return 'has a destination that is not a URL';
  // With more wildcards, matching one path could take hours.
  if ((source.match(/\*/g)?.length ?? 0) > 2 || /:[\w-]+(?:\*(?=[:*])|(?=:))|\*(?=[:*])/.test(source))
    return 'has too many wildcards in its source';
  return undefined;
}

function target(destination: string, inSite: (path: string) => string): string {
  const url = destination.trim();
  return isExternal(url) ? url : rooted(url, inSite);
}

function rooted(url: string, inSite = normalPath): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  return `/${inSite(path)}${rest}`;
}

function redirectProblem(
  kind: Problem['kind'],
  at: Pick<Problem, 'line' | 'column'> & { page: string },
  message: string,
): Problem {
  return { kind, severity: 'warning', ...at, message, hint: `Correct the redirect in ${at.page}.` };
}

/** The first page, in navigation order, of each folder with neither an index page nor a redirect. */
export function folderPages(pages: readonly { path: string }[], rules: readonly RedirectRule[]): Map<string, string> {
  const paths = new Set(pages.map(({ path }) => path));
  const first = new Map<string, string>();
  for (const { path } of pages) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      if (!paths.has(folder) && !first.has(folder)) first.set(folder, path);
    }
  }
  for (const folder of first.keys()) if (redirectFor(rules, paths, folder) !== undefined) first.delete(folder);
  return first;
}
