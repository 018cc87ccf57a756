// A script of its own, which an empty panel loads.
import { mainContent, textOf } from '../shared/elements.ts';
import type { Suggestion } from '../shared/events.ts';

const most = 4;

// No answer is about these headings.
const withoutSubject = /^(?:next steps|see also|related|overview|introduction|welcome|further reading|how it works)$/i;

/** Suggestions: those of the settings, then questions and topics that are headings of the page or titles of the pages after it. */
export function suggestions(ofSettings: string[], aboutHeading: string, language: string): Suggestion[] {
  // Every operation has the same headings.
  const subjects = document.querySelector('[data-carrel-operation]') ? 'h1' : 'h2[id]';
  const about = (elements: Iterable<Element>) =>
    [...elements]
      .map(textOf)
      .filter((text) => text !== '' && text.length <= 80 && !withoutSubject.test(text))
      .map((heading) => suggestionFor(heading, aboutHeading, language))
      .toSorted((a, b) => Number(isTopic(a)) - Number(isTopic(b)));
  const page = about(mainContent().querySelectorAll(subjects));
  const links = [...document.querySelectorAll('.c-navigation a[href]:not(.c-anchors a)')];
  const here = links.findIndex((link) => link.matches('[aria-current=page]'));
  const others = about([...links.slice(here + 1), ...links.slice(0, Math.max(here, 0))]);
  const own = ofSettings.map((question) => ({ label: question, question }));
  const all = [...own, ...page.slice(0, most / 2), ...others.filter((other) => !isTopic(other)), ...page, ...others];
  return [...new Map(all.map((one) => [one.question, one])).values()].slice(0, most);
}

const isTopic = ({ label, question }: Suggestion) => label !== question;

/** In English, "Create a key" and "Creating keys" say how to do something. */
export function suggestionFor(heading: string, aboutHeading: string, language: string): Suggestion {
  const isQuestion = /[?？؟]$/.test(heading);
  const [, first = '', rest = ''] = /^([A-Za-z]+)\b(.*)$/s.exec(heading) ?? [];
  const verb = !isQuestion && /^en\b/i.test(language) ? verbOf(first.toLowerCase(), rest) : undefined;
  if (!verb && !isQuestion) return { label: heading, question: aboutHeading.replace('{heading}', () => heading) };
  const question = verb ? `How do I ${verb}${rest.replace(/[.:]$/, '')}?` : heading;
  return { label: question, question };
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
