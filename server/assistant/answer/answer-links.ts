// Which links an answer may have: to the site itself, and to URLs that the docs contain. A page of the docs, or what a reader pastes, could make
// a model write others, which would carry the question to another host as soon as a client shows a preview of the link.
import type { Passage } from '../retrieve/passages.ts';

/** Whether an answer may link to a URL. */
export type LinkCheck = (url: string) => boolean;

/** `passages` may grow while the model reads more. */
export function createLinkCheck(siteUrl: string | undefined, passages: readonly Passage[]): LinkCheck {
  const site = siteUrl?.replace(/\/*$/, '');
  return (url) => {
    if (!/^www\b/i.test(url) && isOwnPath(url)) return true;
    if (site !== undefined && url.startsWith(site) && /^(?:[/?#]|$)/.test(url.slice(site.length))) return true;
    if (!/^(?:(?:https?|ftp):\/\/|mailto:|www\.)/i.test(url)) return false;
    return passages.some(({ text, section }) =>
      [text, section.markdown ?? '', section.text, section.code].some((part) => containsUrl(part, url)),
    );
  };
}

/** A path of the site, a query or an anchor: neither a scheme nor a host, in any spelling. */
function isOwnPath(url: string): boolean {
  return (
    /^(?:[#?]|\/(?!\/)|(?!\/)[^:/?#]*(?:[/?#]|$))/.test(url) &&
    !/[\\&\u0000-\u0020\u007f-\u00a0]/.test(url) &&
    !urlStart.test(url)
  );
}

/** Whether a text contains the URL as a whole, not as the beginning of a longer one. */
function containsUrl(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at !== -1; at = text.indexOf(url, at + 1)) {
    const before = text[at - 1] ?? ' ';
    if (
      !/[\p{L}\p{N}/.:@-]/u.test(before) &&
      /^[.,:;!?*_~'")\]}]*(?:[\s<>`|\\()[\]{}"']|$)/.test(text.slice(at + url.length, at + url.length + 20))
    )
      return true;
  }
  return false;
}

/** A URL as text that no client makes a link of: a word joiner precedes each character that it is recognized by. */
export function unlinked(url: string): string {
  return url.replace(/[.:@]/g, '\u2060$&');
}

/** Where clients make a link of a URL without any marks. */
export const urlStart = /(?<![a-z])(?:(?:https?|ftp):\/\/|www\.|mailto:|xmpp:)/i;

/** The beginning of such a URL, at the end of a text. */
export const urlBeginning =
  /(?<![a-z])(?:h(?:t(?:t(?:ps?(?::\/?)?)?)?)?|f(?:t(?:p(?::\/?)?)?)?|w{1,3}|m(?:a(?:i(?:l(?:to?)?)?)?)?|x(?:m(?:pp?)?)?)$/i;
