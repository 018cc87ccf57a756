import { CompletionItemKind, type CompletionList } from 'vscode-languageserver/node';
import { componentNames, propNames, propValues } from '../markdown/components/index.ts';
import { iconsOf } from '../markdown/icons.ts';
import { withoutCode } from '../markdown/parse.ts';
import { pageHref } from '../site/page-paths.ts';
import { frontmatterKeys } from '../source/frontmatter-keys.ts';
import { configOffers, type Offer, type Offers } from './config-completion.ts';
import type { EditorPosition } from './follow-folder.ts';
import { pageOfLink, relativePath } from './links.ts';

/** What can be written where a text before the cursor ends; its last group is what is typed so far. */
interface Place {
  before: RegExp;
  kind: CompletionItemKind;
  offers(typed: string, at: EditorPosition, [first, second]: (string | undefined)[]): Iterable<Offer>;
}

const frontmatterPlaces: Place[] = [
  { before: /\nicon:[ \t]*["']?([\w-]*)$/, kind: CompletionItemKind.Value, offers: icons },
  {
    before: /\nmode:[ \t]*(\w*)$/,
    kind: CompletionItemKind.Value,
    offers: () => ['wide', 'center', 'frame', 'custom'],
  },
  { before: /\n(\w*)$/, kind: CompletionItemKind.Property, offers: () => frontmatterKeys.map((key) => `${key}: `) },
];

const bodyPlaces: Place[] = [
  { before: /(?:\]\(<?|^ {0,3}\[[^\]\n]+\]:[ \t]*)([^()\s]*)$/m, kind: CompletionItemKind.File, offers: linkOffers },
  { before: /\shref=["']([^"'\s]*)$/, kind: CompletionItemKind.File, offers: linkOffers },
  { before: /<[A-Z][^<>]*\sicon=["']([^"'\n]*)$/, kind: CompletionItemKind.Value, offers: icons },
  {
    before: /<([A-Z][\w.]*)\s(?:[^<>]*\s)?(\w+)=["'{]*([^"'{}\n]*)$/,
    kind: CompletionItemKind.Value,
    offers: (_typed, _at, [name, prop]) => propValues[`${name} ${prop}`]?.split(' ') ?? [],
  },
  {
    before: /<([A-Z][\w.]*)\s(?:(?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*\s)?(\w*)$/,
    kind: CompletionItemKind.Property,
    offers: (_typed, _at, [name = '']) => (Object.hasOwn(propNames, name) ? propNames[name]!.split(' ') : []),
  },
  { before: /<([A-Z][\w.]*|)$/, kind: CompletionItemKind.Class, offers: () => componentNames },
];

/** So many characters before the cursor say what can be written. */
const mostBefore = 2000;
/** Offers that an editor gets at once; with more letters it asks again. */
const mostOffers = 200;

export function completionsAt(at: EditorPosition): CompletionList {
  const { document, offset, file } = at;
  const found = /\.mdx?$/i.test(file) ? pageOffers(at) : file === 'docs.json' ? configOffers(at) : undefined;
  const { offers, start, end, kind } = { kind: CompletionItemKind.Property, offers: [], start: offset, end: offset, ...found };
  const text = document.getText();
  const typed = text.slice(start, offset).toLowerCase();
  const all = Array.from(offers, (offer) => (typeof offer === 'string' ? { text: offer, detail: undefined } : offer));
  const fitting = all.filter((offer) => offer.text.toLowerCase().includes(typed.replace(/^"/, '')));
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return {
    isIncomplete: fitting.length > mostOffers,
    items: fitting
      .slice(0, mostOffers)
      .map(({ text, detail }) => ({ label: text, filterText: text, kind, detail, textEdit: { range, newText: text } })),
  };
}

function pageOffers(at: EditorPosition): (Offers & { kind: CompletionItemKind }) | undefined {
  const { document, offset } = at;
  const text = document.getText();
  const all = text.slice(0, offset);
  const isFrontmatter = /^\uFEFF?---[ \t]*\r?\n/.test(all) && !/\n---[ \t]*\r?(?:\n|$)/.test(all);
  const before = (isFrontmatter ? all : withoutCode(text).slice(0, offset)).slice(-mostBefore);
  for (const place of isFrontmatter ? frontmatterPlaces : bodyPlaces) {
    const groups = place.before.exec(before)?.slice(1);
    if (!groups) continue;
    const typed = groups.at(-1) ?? '';
    return { offers: place.offers(typed, at, groups), start: offset - typed.length, end: offset, kind: place.kind };
  }
  return undefined;
}

function icons(_typed: string, { site }: EditorPosition): Set<string> {
  return iconsOf(site.config.iconLibrary);
}

/** Pages as they are linked in this folder, or after a `#` the ids of the page. */
function linkOffers(typed: string, at: EditorPosition): Offer[] {
  const { site, file, idsOf } = at;
  const hash = typed.indexOf('#');
  if (hash >= 0) {
    const page = pageOfLink(typed.slice(0, hash) || '#', at);
    return page ? idsOf(page.path).map((id) => `${typed.slice(0, hash)}#${id}`) : [];
  }
  const isRelative = typed.startsWith('.') || (site.source.config === null && !typed.startsWith('/'));
  return site.pages.map(({ path, title, source }) => ({
    text: isRelative ? relativePath(file, source.file, typed.startsWith('.')) : pageHref(path),
    detail: title,
  }));
}
