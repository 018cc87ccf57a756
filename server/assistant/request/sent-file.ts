import type { Question } from './question.ts';

/** A file of a message. */
export interface SentFile {
  url: string;
  mediaType: string;
  name?: string;
}

const largestText = 100 * 1024;
const textTypes = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh)\b)/i;

/** A file by its name, with its text when the message contains it as text of at most 100 KB. Nothing is ever fetched. */
export function readFile({ url, mediaType, name }: SentFile): Question['files'][number] {
  const file = { name: cleaned(name || (url.startsWith('data:') ? '' : lastPart(url)) || mediaType) || 'file' };
  const text = textOf(url, mediaType);
  return text === undefined ? file : { ...file, text };
}

function textOf(url: string, mediaType: string): string | undefined {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma < 0 || !textTypes.test(mediaType)) return undefined;
  const body = url.slice(comma + 1);
  // At most three characters stand for one byte.
  if (body.length > 3 * largestText) return undefined;
  try {
    const bytes = /;base64$/i.test(url.slice(0, comma)) ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body));
    if (bytes.length > largestText) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A file that claims to be text, and is not, still has a name.
    return undefined;
  }
}

function lastPart(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

/** One short line. */
function cleaned(name: string): string {
  return name
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 200);
}
