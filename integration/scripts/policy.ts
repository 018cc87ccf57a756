// A page's own Content-Security-Policy goes on holding: what it named by hash is named by the hash of what now stands there.
import { hash } from 'node:crypto';
import { applyEdits, type Edit } from '../text/edit.ts';
import type { PageScripts } from './read-scripts.ts';

/** An inline script or style, before and after the page was changed. */
export interface InlineText {
  before: string;
  after: string;
  /** Whether it stood in a file of its own before, and the digests that its tag gave of that. */
  isLoaded?: boolean;
  integrity?: string;
}

export interface PolicyTexts {
  scripts: InlineText[];
  styles: InlineText[];
  /** Inline scripts that the page had not. */
  added: string[];
  /** Whether the page loads script files of the export. */
  loadsFiles: boolean;
  /** Whether scripts of ours draw icons, whose addresses are `data:`. */
  drawsIcons: boolean;
  /** Whether the page got a style sheet of ours. */
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

/** A policy that allows of a page what it allowed before, and `forbids`: the directive by which none of its scripts runs, where one says so. */
export function rewritePolicy(
  policy: string,
  { scripts, styles, added, loadsFiles, drawsIcons, loadsStyles }: PolicyTexts,
): { policy: string; forbids?: string } {
  const directives = policy.split(';').map((text) => ({ text, words: text.trim().split(/\s+/) }));
  const nameOf = ({ words }: (typeof directives)[number]) => words[0]!.toLowerCase();
  // Of two of a name the first counts.
  const firstOf = (name: string) => directives.filter((directive) => nameOf(directive) === name).slice(0, 1);
  const governing = (...names: string[]) => {
    const named = names.flatMap(firstOf);
    return named.length > 0 ? named : firstOf('default-src');
  };
  let forbids: string | undefined;
  // A directive of its own, where default-src decides: what is changed there would count for everything.
  const put = (directive: (typeof directives)[number], name: string, sources: string[]) => {
    const isDefault = nameOf(directive) === 'default-src';
    const words = [isDefault ? name : directive.words[0]!, ...sources];
    if (isDefault) directives.push({ text: ` ${words.join(' ')}`, words });
    else Object.assign(directive, { text: ` ${words.join(' ')}`, words });
  };
  const change = (directive: (typeof directives)[number], name: string, ...what: [InlineText[], string[], boolean]) => {
    const words = allowing(directive.words, ...what);
    if (words.join(' ') !== directive.words.join(' ')) put(directive, name, words.slice(1));
  };
  for (const directive of governing('script-src', 'script-src-elem')) {
    const isForbidden = directive.words.slice(1).every((word) => word.toLowerCase() === "'none'");
    if (!isForbidden) change(directive, 'script-src', scripts, added, loadsFiles);
    else if (scripts.length > 0 || loadsFiles) forbids = directive.words.join(' ');
  }
  for (const directive of governing('style-src', 'style-src-elem')) change(directive, 'style-src', styles, [], false);
  const letIn = (names: string[], source: string) => {
    for (const directive of governing(...names)) {
      if (directive.words.some((word) => word.toLowerCase() === source)) continue;
      const others = directive.words.slice(1).filter((word) => word.toLowerCase() !== "'none'");
      put(directive, names[0]!, [...others, source]);
    }
  };
  if (drawsIcons && forbids === undefined) letIn(['img-src'], 'data:');
  if (loadsStyles) letIn(['style-src', 'style-src-elem'], "'self'");
  return {
    policy: directives
      .map(({ text }) => text)
      .join(';')
      .trimStart(),
    forbids,
  };
}

const algorithms = ['sha256', 'sha384', 'sha512'] as const;

/** The words of a directive with other hashes where texts changed, and with what is added. */
function allowing(words: string[], texts: InlineText[], added: string[], loadsFiles: boolean): string[] {
  const has = (word: string) => words.some((candidate) => candidate.toLowerCase() === word);
  const fresh = new Set(added.map((text) => source('sha256', text)));
  const needed = new Set<string>();
  const stale = new Set<string>();
  for (const { before, after, isLoaded, integrity } of texts) {
    const old = algorithms.map((algorithm) => source(algorithm, before)).filter((word) => words.includes(word));
    const isAllowed = isLoaded ? isLoadAllowed(words, integrity) : old.length > 0;
    if (before === after) for (const word of old) needed.add(word);
    else if (isAllowed) {
      for (const word of old) stale.add(word);
      fresh.add(source('sha256', after));
    }
  }
  // A hash ends 'unsafe-inline'. With 'strict-dynamic' a script file needs a hash in its tag, which file:// refuses.
  const isOpen = has("'unsafe-inline'") && !words.some((word) => /^'(?:sha\d+|nonce)-|^'strict-dynamic'$/i.test(word));
  const kept = words.filter(
    (word) => needed.has(word) || !(stale.has(word) || (loadsFiles && word.toLowerCase() === "'strict-dynamic'")),
  );
  const own = loadsFiles && !has("'self'") ? ["'self'"] : [];
  const hashes = isOpen ? [] : [...fresh].filter((word) => !kept.includes(word)).sort();
  return [...kept, ...own, ...hashes];
}

function isLoadAllowed(words: string[], integrity: string | undefined): boolean {
  if (integrity?.split(/\s+/).some((digest) => words.includes(`'${digest}'`))) return true;
  return words.slice(1).some((word) => word.toLowerCase() === "'self'" || !word.startsWith("'"));
}

// A browser has read line ends as line feeds when it counts.
function source(algorithm: (typeof algorithms)[number], text: string): string {
  return `'${algorithm}-${hash(algorithm, text.replace(/\r\n?/g, '\n'), 'base64')}'`;
}
