import { createProblem, didYouMean, type Problem } from '../../integration/diagnostics.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { positionOfField } from './frontmatter.ts';

// The longer keys that have an effect: a short one is spelled like many others, which are the author's own.
const keys =
  `title description sidebarTitle deprecated keywords searchable robots noindex hidden public hideFooterPagination hideApiMarker
openapi asyncapi graphql related lastUpdatedDate timestamp canonical`.split(/\s+/);

/** All keys that have an effect, for editors. */
export const frontmatterKeys = [...keys, ...'icon tag mode url rss boost draft groups contextual'.split(' ')];

/** Reports keys that are one or two letters away from one that has an effect; all others are the author's own. */
export function misspelledKeys(frontmatter: Record<string, unknown>, text: string, file: string): Problem[] {
  return Object.keys(frontmatter).flatMap((key): Problem[] => {
    if (key.length < 5 || keys.includes(key)) return [];
    const [meant] = nearest(key, keys).filter((known) => !Object.hasOwn(frontmatter, known) && isMisspelled(key, known));
    if (meant === undefined) return [];
    const message = `The key "${key}" of the frontmatter has no effect.`;
    return [
      createProblem({
        kind: 'frontmatter-unknown-key',
        page: file,
        ...positionOfField(text, key),
        message,
        ...didYouMean([meant]),
      }),
    ];
  });
}

/** A plural and another ending are words of their own: "keyword", "titles", "published". */
function isMisspelled(key: string, known: string): boolean {
  return !key.startsWith(known) && !known.startsWith(key) && key.toLowerCase()[0] === known.toLowerCase()[0];
}
