import { mainContent } from '../shared/main-content.ts';

/** Suggested questions: those of the settings, else about the first headings of the page; at most three. */
export function suggestedQuestions(suggestions: string[], aboutHeading: string): string[] {
  if (suggestions.length > 0) return suggestions.slice(0, 3);
  const headings = [...mainContent().querySelectorAll('h2[id]')].map(textOf).filter((text) => text !== '' && text.length <= 80);
  return [...new Set(headings)]
    .slice(0, 3)
    .map((heading) => (/[?？؟]$/.test(heading) ? heading : aboutHeading.replace('{heading}', heading)));
}

/** The text of a heading, without the sign of its anchor link. */
function textOf(heading: Element): string {
  const copy = document.createElement('div');
  copy.append(...[...heading.childNodes].map((node) => node.cloneNode(true)));
  for (const anchor of copy.querySelectorAll('.c-anchor, [aria-hidden=true]')) anchor.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}
