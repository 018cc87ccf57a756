// The entries of a changelog page: for its feed, and the tags that filter them.
import type { Element } from 'hast';
import type { FeedEntry } from '../../integration/page/page-types.ts';
import { objectOf } from '../../integration/text/json.ts';
import type { RenderedUpdate } from './context.ts';
import type { Heading } from './headings.ts';
import { text, texts } from './components/props.ts';
import { type Props, textOf } from './tree.ts';

/** The entries of the page's feed: one for each heading of an update, one for an update without headings or with `rss`. */
export function feedEntries(updates: RenderedUpdate[], headings: Heading[]): FeedEntry[] {
  const texts = new Map(headings.map(({ id, text }) => [id, text]));
  return updates.flatMap(({ props, section }) => entriesOf(props, section, texts));
}

function entriesOf(props: Props, section: Element, headings: ReadonlyMap<string, string>): FeedEntry[] {
  const label = text(props.label) ?? '';
  const description = text(props.description);
  const common = { date: dateIn(label) ?? dateIn(description ?? ''), tags: texts(props.tags) };
  const parts = partsOf(section, headings);
  const own = objectOf(props.rss);
  const [ownTitle, ownDescription] = [own.title, own.description].map((value) => (typeof value === 'string' ? value : undefined));
  if (ownTitle === undefined && ownDescription === undefined && parts.length > 1)
    return parts.slice(1).map(({ id, title, words }) => ({ ...common, id, title, text: shortened(words) }));
  const words = ownDescription ?? parts.map((part) => [part.title, part.words].filter(Boolean).join('. ')).join(' ');
  return [{ ...common, id: String(section.properties.id ?? ''), title: ownTitle ?? label, text: shortened(words) }];
}

interface UpdatePart {
  id: string;
  title: string;
  words: string;
}

/** The words of a section: those before its first heading, then those of each heading. */
function partsOf(section: Element, headings: ReadonlyMap<string, string>): UpdatePart[] {
  const parts: UpdatePart[] = [{ id: '', title: '', words: '' }];
  const read = (node: Element): void => {
    for (const child of node.children) {
      if (child.type === 'text') parts.at(-1)!.words += child.value;
      if (child.type !== 'element' || child.properties.class === 'c-update-side') continue;
      const title = /^h[2-6]$/.test(child.tagName) ? headings.get(String(child.properties.id)) : undefined;
      if (title !== undefined) parts.push({ id: String(child.properties.id), title, words: '' });
      else if (child.tagName === 'p' || child.tagName === 'li') {
        const part = parts.at(-1)!;
        part.words = `${part.words} ${textOf(child)}`;
      } else if (child.tagName !== 'pre') read(child);
    }
  };
  read(section);
  return parts;
}

const longest = 500;

function shortened(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/\s+\S*$/, '')}…`;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const iso = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/;
const monthFirst = new RegExp(`\\b${month}\\s+(?:(\\d{1,2})(?:st|nd|rd|th)?,?\\s+)?(\\d{4})\\b`, 'i');
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+${month},?\\s+(\\d{4})\\b`, 'i');

/** The date in a label such as "2026-05-04", "May 2026", "May 4, 2026" or "4 May 2026", in ISO format. */
export function dateIn(label: string): string | undefined {
  const inIso = iso.exec(label);
  if (inIso) return isoDate(Number(inIso[1]), Number(inIso[2]), Number(inIso[3] ?? 1));
  const byDay = dayFirst.exec(label);
  if (byDay) return isoDate(Number(byDay[3]), monthNumber(byDay[2]!), Number(byDay[1]));
  const byMonth = monthFirst.exec(label);
  return byMonth ? isoDate(Number(byMonth[3]), monthNumber(byMonth[1]!), Number(byMonth[2] ?? 1)) : undefined;
}

function monthNumber(name: string): number {
  return months.indexOf(name.toLowerCase()) + 1;
}

function isoDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
