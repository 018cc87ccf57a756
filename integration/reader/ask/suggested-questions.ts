import { mainContent } from '../shared/elements.ts';

/** Suggested questions: those of the settings, else about the first headings of the page; at most three. */
export function suggestedQuestions(suggestions: string[], aboutHeading: string, language: string): string[] {
  if (suggestions.length > 0) return suggestions.slice(0, 3);
  // Every operation has the same headings.
  const subjects = document.querySelector('[data-carrel-operation]') ? 'h1' : 'h2[id]';
  const headings = [...mainContent().querySelectorAll(subjects)].map(textOf).filter((text) => text !== '' && text.length <= 80);
  return [...new Set(headings)].slice(0, 3).map((heading) => questionAbout(heading, aboutHeading, language));
}

/** The question that a heading answers: in English, "Create a key" and "Creating keys" say how to do something. */
export function questionAbout(heading: string, aboutHeading: string, language: string): string {
  if (/[?？؟]$/.test(heading)) return heading;
  const [, first = '', rest = ''] = /^([A-Za-z]+)\b(.*)$/s.exec(heading) ?? [];
  const verb = /^en\b/i.test(language) ? verbOf(first.toLowerCase(), rest) : undefined;
  return verb ? `How do I ${verb}${rest.replace(/[.:]$/, '')}?` : aboutHeading.replace('{heading}', () => heading);
}

function verbOf(word: string, rest: string): string | undefined {
  if (verbs.has(word) || (nounsToo.has(word) && beforeObject.test(rest))) return word;
  const [, stem] = /^(.{2,})ing$/.exec(word) ?? [];
  if (stem === undefined || rest === '') return undefined;
  // Installing, configuring, running.
  return [stem, `${stem}e`, stem.slice(0, -1)].find((form) => verbs.has(form) || nounsToo.has(form));
}

const set = (words: string) => new Set(words.split(' '));

const verbs = set(
  'add authenticate authorize choose configure connect convert create customize define delete deploy disable download embed enable ' +
    'extend generate get import improve install integrate invite make manage migrate modify organize prepare protect publish ' +
    'read register remove rename replace restore revoke rotate send serve translate troubleshoot uninstall upgrade upload use ' +
    'validate verify write',
);

/** Words that are nouns before another noun, as in "Test results". */
const nounsToo = set(
  'back build call change check clone copy debug edit export find fix handle host limit list log monitor move open pin preview query ' +
    'redirect run save search secure select set share start stop store style switch take test trigger try update view work',
);

// What follows a verb rather than a noun.
const beforeObject =
  /^ (?:an?|the|your|it|its|them|to|up|from|with|in|on|into|all|any|another|one|several|multiple|new|more|by) ?/;

/** The text of a heading, without the sign of its anchor link. */
function textOf(heading: Element): string {
  const copy = document.createElement('div');
  copy.append(...[...heading.childNodes].map((node) => node.cloneNode(true)));
  for (const anchor of copy.querySelectorAll('.c-anchor, [aria-hidden=true]')) anchor.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}
