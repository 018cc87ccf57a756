// A page's own Content-Security-Policy goes on holding: what it named by hash is named by the hash of what now stands there.
import { hash } from 'node:crypto';
import { escapeAttribute } from '../export/rewrite-page.ts';
import { applyEdits, lineAt, type Edit } from '../export/edit.ts';
import type { EditedScripts, PagePlace } from './page-scripts.ts';
import type { PageScripts } from './read-scripts.ts';

/** Adds an edit for each policy of a page whose other edits are all there. `added` are the inline scripts that the page had not. */
export function editPolicies(found: PageScripts, place: PagePlace, done: EditedScripts, others: Edit[], added: string[]): void {
  const edits = [...others, ...done.edits];
  for (const policy of found.policies) {
    const { text, problems } = rewritePolicy(policy.value, found, place.html, edits, added);
    for (const message of problems) {
      done.problems.push({
        kind: 'policy-forbids',
        severity: 'warning',
        page: place.file,
        line: lineAt(place.html, policy.start),
        message,
        hint: 'Change the policy of the page, or leave the page out.',
      });
    }
    if (text !== policy.value)
      done.edits.push({ start: policy.valueStart, end: policy.valueEnd, text: escapeAttribute(text, policy.quote || '"') });
  }
}

function rewritePolicy(policy: string, found: PageScripts, html: string, edits: Edit[], added: string[]) {
  const problems: string[] = [];
  const directives = policy
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name]) => name);
  const fallback = directives.find(([name]) => name!.toLowerCase() === 'default-src');
  const governing = (names: string[]) =>
    directives.filter(([name]) => names.includes(name!.toLowerCase())).length > 0
      ? directives.filter(([name]) => names.includes(name!.toLowerCase()))
      : fallback
        ? [fallback]
        : [];

  const scripts = found.scripts.map(({ text, src, integrity }) => ({ ...text, src: src?.value, integrity }));
  for (const directive of governing(['script-src', 'script-src-elem'])) {
    const texts = scripts.flatMap(({ start, end, src, integrity }) => {
      const before = html.slice(start, end);
      const after = applyEdits(html, edits, start, end);
      if (src !== undefined && after === before) return [];
      return [{ before, after, isLoaded: src !== undefined, integrity }];
    });
    const fault = allow(directive, texts, added);
    if (fault) problems.push(`The page's Content-Security-Policy says "${directive.join(' ')}", so that its scripts cannot run.`);
  }
  for (const directive of governing(['style-src', 'style-src-elem'])) {
    if (directive === fallback) continue;
    const texts = found.styles.map(({ start, end }) => ({
      before: html.slice(start, end),
      after: applyEdits(html, edits, start, end),
    }));
    allow(directive, texts, []);
  }
  return { text: directives.map((directive) => directive.join(' ')).join('; '), problems };
}

interface InlineText {
  before: string;
  after: string;
  /** Whether it stood in a file of its own before. */
  isLoaded?: boolean;
  integrity?: string;
}

const algorithms = ['sha256', 'sha384', 'sha512'] as const;

/** Changes a directive so that it allows what it allowed before; true when it forbids all scripts. */
function allow(directive: string[], texts: InlineText[], added: string[]): boolean {
  const sources = directive.slice(1);
  const has = (source: string) => sources.some((candidate) => candidate.toLowerCase() === source);
  if (sources.length === 0 || (sources.length === 1 && has("'none'"))) return texts.length + added.length > 0;
  const hashes = sources.filter((source) => /^'sha(?:256|384|512)-/i.test(source));
  const needsHashes = hashes.length > 0 || sources.some((source) => /^'nonce-/i.test(source)) || !has("'unsafe-inline'");
  const stale = new Set<string>();
  const fresh = new Set<string>();
  for (const { before, after, isLoaded, integrity } of texts) {
    const old = algorithms.map((algorithm) => source(algorithm, before)).filter((name) => sources.includes(name));
    const isAllowed = isLoaded ? isLoadAllowed(sources, integrity) : old.length > 0;
    if (!isAllowed || before === after) continue;
    for (const name of old) stale.add(name);
    fresh.add(source('sha256', after));
  }
  for (const text of added) fresh.add(source('sha256', text));
  for (const { before, after } of texts)
    if (before === after) for (const algorithm of algorithms) stale.delete(source(algorithm, before));
  const kept = sources.filter((name) => !stale.has(name) && name.toLowerCase() !== "'strict-dynamic'");
  // It would turn away every script file, and a file cannot carry the hash that it asks for on file://.
  if (added.length > 0 && !kept.some((name) => name.toLowerCase() === "'self'" || name === '*')) kept.push("'self'");
  if (needsHashes) for (const name of [...fresh].sort()) if (!kept.includes(name)) kept.push(name);
  directive.splice(1, Infinity, ...kept);
  return false;
}

function isLoadAllowed(sources: string[], integrity: string | undefined): boolean {
  if (integrity !== undefined && integrity.split(/\s+/).some((digest) => sources.includes(`'${digest}'`))) return true;
  return sources.some((source) => source.toLowerCase() === "'self'" || !source.startsWith("'"));
}

function source(algorithm: (typeof algorithms)[number], text: string): string {
  // A browser reads line ends as line feeds before it counts.
  return `'${algorithm}-${hash(algorithm, text.replace(/\r\n?/g, '\n'), 'base64')}'`;
}
