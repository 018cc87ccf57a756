import { escapeHtml } from '../text/escape.ts';

export interface PlaceholderContent {
  /** Name of the element that it replaces. */
  name: string;
  /** The author's description of what the element shows. */
  words?: string;
  /** What it links to. */
  url: string;
  /** Whether it is inside a link, which must not contain another link. */
  inLink?: boolean;
  /** Classes besides its own, separated by white space. */
  className?: string;
  /** Whether there is nothing that it could link to. */
  isMissing?: boolean;
  /** HTML of an image in it. */
  image?: string;
}

/** A link with a description and the URL in place of media or a frame; inside a link, or without something to link to, only text. */
export function placeholderHtml(content: PlaceholderContent): string {
  const { name, words, url, inLink = false, className = '', isMissing = false, image = '' } = content;
  const classes = ['c-remote', isMissing ? 'c-missing' : '', ...className.split(/\s+/)].filter(Boolean).join(' ');
  const attributes = `class="${escapeHtml(classes)}" data-element="${name}"`;
  const description = words ? `<span class="c-remote-words">${escapeHtml(words)}</span>` : '';
  const address = `<span class="c-remote-address">${escapeHtml(url)}</span>`;
  if (inLink) return `<span ${attributes}>${description || address}</span>`;
  if (isMissing) return `<span ${attributes}>${[description, address].filter(Boolean).join(' ')}</span>`;
  return `<a ${attributes} href="${escapeHtml(url)}" rel="noreferrer">${image}${[description, address].filter(Boolean).join(' ')}</a>`;
}
