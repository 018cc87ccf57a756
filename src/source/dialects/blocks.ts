// Blocks of other generators as the containers that the renderer knows: `:::note Title` … `:::`.
import { each } from '../../../integration/text/each.ts';

/** The kinds of callouts of other generators that have another name with us. The title keeps the author's word. */
const kinds: Record<string, string> = {
  ...each('note', 'note secondary default'),
  ...each('info', 'info primary'),
  ...each('tip', 'tip hint'),
  important: 'important',
  ...each('warning', 'warning warn attention'),
  caution: 'caution',
  ...each('danger', 'danger error'),
  ...each('success', 'success check done'),
};

const titledKinds: Record<string, string> = {
  ...each('info', 'abstract summary tldr todo question help faq example seealso'),
  ...each('danger', 'bug failure fail missing'),
};

/** The line that opens a callout. A kind that we do not have is its title, unless there is another. */
export function calloutLine(type: string, title = ''): string {
  const isKnown = Object.hasOwn(kinds, type.toLowerCase());
  return title || isKnown ? blockLine(kindOf(type), title) : titledCalloutLine(type);
}

/** The line that opens a callout whose title is its kind, unless there is another; an empty one leaves it without a title. */
export function titledCalloutLine(type: string, title = capitalized(type.toLowerCase())): string {
  return blockLine(kindOf(type), title);
}

function kindOf(type: string): string {
  const name = type.toLowerCase();
  if (Object.hasOwn(kinds, name)) return kinds[name] ?? 'note';
  return (Object.hasOwn(titledKinds, name) && titledKinds[name]) || 'note';
}

export function isCallout(type: string): boolean {
  return Object.hasOwn(kinds, type.toLowerCase()) || Object.hasOwn(titledKinds, type.toLowerCase());
}

/** The line that opens a container. */
export function blockLine(name: string, title = ''): string {
  return `:::${name} ${title.replace(/\s+/g, ' ').trim()}`.trimEnd();
}

export function capitalized(word: string): string {
  const words = word.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
