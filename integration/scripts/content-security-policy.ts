// A page's own Content-Security-Policy still applies in the export: a hash that allowed a text is replaced by the hash of the edited text.
// The terms are those of https://www.w3.org/TR/CSP3/: a policy is a list of directives, each with a name and a source list.
import { hash } from 'node:crypto';
import { applyEdits, type Edit } from '../text/edit.ts';
import type { PageScripts } from './script-elements.ts';

/** An inline script or style, before and after the page was changed. */
interface InlineText {
  before: string;
  after: string;
  /** Whether it was a file before, and the digests in its tag. */
  isLoaded?: boolean;
  integrity?: string;
}

export interface PolicyTexts {
  scripts: InlineText[];
  styles: InlineText[];
  /** Inline scripts that the page did not have. */
  added: string[];
  /** Whether the page loads script files of the export. */
  loadsFiles: boolean;
  /** Whether our scripts show icons with `data:` URLs. */
  drawsIcons: boolean;
  /** Whether the page loads a stylesheet of ours. */
  loadsStyles: boolean;
}

/** The inline texts of a page, its edits applied. */
export function policyTexts(found: PageScripts, html: string, edits: Edit[]): Pick<PolicyTexts, 'scripts' | 'styles'> {
  const inline = ({ start, end }: { start: number; end: number }): InlineText => ({
    before: html.slice(start, end),
    after: applyEdits(html, edits, start, end),
  });
  const scripts = found.scripts.flatMap(({ text, src, integrity }) => {
    const script = { ...inline(text), isLoaded: src !== undefined, integrity };
    return script.isLoaded && script.before === script.after ? [] : [script];
  });
  return { scripts, styles: found.styles.map(inline) };
}

interface Directive {
  name: string;
  sources: string[];
  /** Verbatim, until the sources change. */
  text: string;
}

/** A policy that allows what it allowed before, and `forbids`: the directive that blocks all scripts of the page, if there is one. */
export function rewritePolicy(policy: string, texts: PolicyTexts): { policy: string; forbids?: string } {
  const { scripts, styles, added, loadsFiles, drawsIcons, loadsStyles } = texts;
  const directives = parsePolicy(policy);
  const forbidding = effectiveDirectives(directives, scriptDirectives).filter(({ sources }) => allowsNothing(sources));
  const forbids = scripts.length > 0 || loadsFiles ? forbidding.at(-1) : undefined;
  changeSources(directives, scriptDirectives, (sources) =>
    allowsNothing(sources) ? sources : withInlineTexts(sources, { texts: scripts, added, loadsFiles }),
  );
  changeSources(directives, styleDirectives, (sources) =>
    withInlineTexts(sources, { texts: styles, added: [], loadsFiles: false }),
  );
  if (drawsIcons && !forbids) changeSources(directives, ['img-src'], (sources) => withSource(sources, 'data:'));
  if (loadsStyles) changeSources(directives, styleDirectives, (sources) => withSource(sources, "'self'"));
  return {
    policy: directives
      .map(({ text }) => text)
      .join(';')
      .trimStart(),
    forbids: forbids && [forbids.name, ...forbids.sources].join(' '),
  };
}

// The specific directive comes before the one that it falls back to: https://www.w3.org/TR/CSP3/#directive-fallback-list
const scriptDirectives = ['script-src', 'script-src-elem'];
const styleDirectives = ['style-src', 'style-src-elem'];

function parsePolicy(policy: string): Directive[] {
  return policy.split(';').map((text) => {
    const [name = '', ...sources] = text.trim().split(/\s+/);
    return { name, sources, text };
  });
}

function directiveOf(name: string, sources: string[]): Directive {
  return { name, sources, text: ` ${[name, ...sources].join(' ')}` };
}

/** The directives that decide about a kind of load; of two with one name the first applies: https://www.w3.org/TR/CSP3/#parse-serialized-policy */
function effectiveDirectives(directives: Directive[], names: string[]): Directive[] {
  const firstOf = (wanted: string) => directives.filter(({ name }) => name.toLowerCase() === wanted).slice(0, 1);
  const named = names.flatMap(firstOf);
  return named.length > 0 ? named : firstOf('default-src');
}

/** Replaces the source lists of the effective directives. If `default-src` applies, a directive is added, since a change of `default-src` would apply to every load. */
function changeSources(directives: Directive[], [name = '', ...others]: string[], change: (sources: string[]) => string[]): void {
  for (const directive of effectiveDirectives(directives, [name, ...others])) {
    const sources = change(directive.sources);
    if (sources.join(' ') === directive.sources.join(' ')) continue;
    if (directive.name.toLowerCase() === 'default-src') directives.push(directiveOf(name, sources));
    else Object.assign(directive, directiveOf(directive.name, sources));
  }
}

function includes(sources: string[], source: string): boolean {
  return sources.some((candidate) => candidate.toLowerCase() === source);
}

/** https://www.w3.org/TR/CSP3/#match-url-to-source-list */
function allowsNothing(sources: string[]): boolean {
  return sources.every((source) => source.toLowerCase() === "'none'");
}

/** A source list without `'none'`, which means no source and is ignored next to one. */
function withSource(sources: string[], source: string): string[] {
  if (includes(sources, source)) return sources;
  return [...sources.filter((candidate) => candidate.toLowerCase() !== "'none'"), source];
}

interface InlineTexts {
  texts: InlineText[];
  added: string[];
  loadsFiles: boolean;
}

/** A source list that allows the texts that it allowed before and the added ones; includes `'self'` if files of the export are loaded. */
function withInlineTexts(sources: string[], { texts, added, loadsFiles }: InlineTexts): string[] {
  const needed = new Set<string>();
  const stale = new Set<string>();
  const fresh = new Set(added.map((text) => hashSource('sha256', text)));
  for (const text of texts) {
    const hashes = hashAlgorithms.map((algorithm) => hashSource(algorithm, text.before)).filter((hash) => sources.includes(hash));
    if (text.before === text.after) for (const hash of hashes) needed.add(hash);
    else if (text.isLoaded ? allowsFile(sources, text.integrity) : hashes.length > 0) {
      for (const hash of hashes) stale.add(hash);
      fresh.add(hashSource('sha256', text.after));
    }
  }
  // With 'strict-dynamic' only scripts with a nonce or a hash load: a hash for a file is in its tag (`integrity`), which file:// refuses.
  const isDropped = (source: string) => stale.has(source) || (loadsFiles && source.toLowerCase() === "'strict-dynamic'");
  const kept = sources.filter((source) => needed.has(source) || !isDropped(source));
  const own = loadsFiles && !includes(sources, "'self'") ? ["'self'"] : [];
  const hashes = allowsAllInline(sources) ? [] : [...fresh].filter((hash) => !kept.includes(hash)).sort();
  return [...kept, ...own, ...hashes];
}

/** Whether `'unsafe-inline'` applies: a nonce, a hash or `'strict-dynamic'` disables it. https://www.w3.org/TR/CSP3/#allow-all-inline */
function allowsAllInline(sources: string[]): boolean {
  return (
    includes(sources, "'unsafe-inline'") && !sources.some((source) => /^'(?:sha\d+|nonce)-|^'strict-dynamic'$/i.test(source))
  );
}

/** Whether a script file was allowed: by the digest in its tag (https://www.w3.org/TR/CSP3/#external-hash), by its host, or as the site's own. */
function allowsFile(sources: string[], integrity: string | undefined): boolean {
  if (integrity?.split(/\s+/).some((digest) => sources.includes(`'${digest}'`))) return true;
  return sources.some((source) => source.toLowerCase() === "'self'" || !source.startsWith("'"));
}

const hashAlgorithms = ['sha256', 'sha384', 'sha512'] as const;

/** A hash source. Browsers hash the parsed text, in which line breaks are line feeds. */
function hashSource(algorithm: (typeof hashAlgorithms)[number], text: string): string {
  return `'${algorithm}-${hash(algorithm, text.replace(/\r\n?/g, '\n'), 'base64')}'`;
}
