/** Largest page that the fast parser is given, in characters. */
const largestPage = 2_000_000;
// The fast parser recurses and dies with the whole process at about 8,000 levels; no page written by people has 200.
const deepestNesting = 200;

/** Whether a page is small and flat enough for the fast parser, which a hostile page can crash. */
export function isSafeForFastParser(source: string): boolean {
  if (source.length > largestPage) return false;
  let brackets = 0;
  let deepest = 0;
  let run = 0;
  let previous = 0;
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 123 || code === 40 || code === 91) {
      if (++brackets > deepest) deepest = brackets;
    } else if (code === 125 || code === 41 || code === 93) {
      if (brackets > 0) brackets--;
    }
    // Long runs of markers nest block quotes and lists, or cost quadratic time.
    if (code === 62 || code === 60 || code === 33 || code === 42 || code === 95) {
      run = code === previous || source.charCodeAt(i - 1) === 32 ? run + 1 : 1;
      if (run > 500 && code !== 42 && code !== 95) return false;
      previous = code;
    } else if (code !== 32) run = 0;
  }
  return deepest <= deepestNesting && deepestTag(source) <= deepestNesting;
}

/** Greatest number of tags open at once, counted roughly (void and unclosed tags never close). */
function deepestTag(source: string): number {
  const open: Record<string, number> = Object.create(null);
  let depth = 0;
  let deepest = 0;
  for (const match of source.matchAll(/<(\/?)([A-Za-z][\w.-]*)?/g)) {
    const name = match[2] ?? '';
    if (match[1]) {
      if (open[name]) {
        open[name]--;
        depth--;
      }
    } else if (match[2] || source.charCodeAt(match.index + 1) === 62) {
      const end = source.indexOf('>', match.index);
      if (end === -1 || source.charCodeAt(end - 1) === 47 || voidTags.has(name)) continue;
      open[name] = (open[name] ?? 0) + 1;
      if (++depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

const voidTags = new Set([
  'br',
  'hr',
  'img',
  'input',
  'source',
  'track',
  'wbr',
  'col',
  'area',
  'embed',
  'link',
  'meta',
  'base',
  'param',
]);
