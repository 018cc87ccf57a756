import { isRecord } from '../../integration/text/json.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';
import { siteHref } from './page-paths.ts';

/** The menu of a page: `contextual` of docs.json or of a page's frontmatter. The first entry is the menu's button. */
export interface PageMenu {
  place: 'header' | 'toc';
  entries: PageMenuEntry[];
}

export type PageMenuEntry =
  | { kind: 'copy' | 'view' | 'assistant' | 'download-pdf' }
  /** A chat on an external origin that reads the page; the reader's script replaces `{prompt}`. */
  | { kind: 'chat'; name: string; href: string }
  /** An author's own entry. The reader's script replaces `$page` with the page's text. */
  | { kind: 'link'; title: string; description?: string; icon?: string; href: string };

/** Chats that take a prompt in their URL. */
const chats: Record<string, { name: string; href: string }> = {
  chatgpt: { name: 'ChatGPT', href: 'https://chatgpt.com/?hints=search&q={prompt}' },
  claude: { name: 'Claude', href: 'https://claude.ai/new?q={prompt}' },
  perplexity: { name: 'Perplexity', href: 'https://www.perplexity.ai/search?q={prompt}' },
  grok: { name: 'Grok', href: 'https://grok.com/?q={prompt}' },
  aistudio: { name: 'Google AI Studio', href: 'https://aistudio.google.com/prompts/new_chat?prompt={prompt}' },
};

interface Contextual {
  options?: unknown[];
  display?: 'header' | 'toc';
}

/** The menu of `contextual`, or undefined where it has no entry. `isOffline` leaves out what needs an external origin. */
export function pageMenu(contextual: unknown, isOffline: boolean): PageMenu | undefined {
  if (!isRecord(contextual)) return undefined;
  const { options, display } = contextual as Contextual;
  const entries = (Array.isArray(options) ? options : []).flatMap((option) => menuEntry(option) ?? []);
  const shown = isOffline ? entries.filter((entry) => entry.kind !== 'chat') : entries;
  return shown.length > 0 ? { place: display === 'toc' ? 'toc' : 'header', entries: shown } : undefined;
}

/** Whether an entry of the menu needs the page's Markdown. */
export function copiesMarkdown(menu: PageMenu | undefined): boolean {
  return menu?.entries.some((entry) => entry.kind === 'copy' || (entry.kind === 'link' && entry.href.includes('$page'))) ?? false;
}

/** The entry of an option; undefined for one that is not supported. */
export function menuEntry(option: unknown): PageMenuEntry | undefined {
  if (option === 'copy' || option === 'view' || option === 'assistant' || option === 'download-pdf') return { kind: option };
  if (typeof option === 'string') return Object.hasOwn(chats, option) ? { kind: 'chat', ...chats[option]! } : undefined;
  if (!isRecord(option) || typeof option['title'] !== 'string') return undefined;
  const href = hrefOf(option['href']);
  if (href === undefined || safeUrl(href) === undefined || href.includes('$mcp')) return undefined;
  const text = (key: string) => (typeof option[key] === 'string' ? option[key] : undefined);
  return { kind: 'link', title: option['title'], description: text('description'), icon: text('icon'), href };
}

/** An URL, or one with the parameters of `query`. */
function hrefOf(href: unknown): string | undefined {
  if (typeof href === 'string') return siteHref(href);
  if (!isRecord(href) || typeof href['base'] !== 'string') return undefined;
  const query = Array.isArray(href['query']) ? href['query'] : [];
  const parameters = query.flatMap((each) =>
    isRecord(each) && typeof each['key'] === 'string' && typeof each['value'] === 'string'
      ? `${encodeURIComponent(each['key'])}=${escapeValue(each['value'])}`
      : [],
  );
  const base = siteHref(href['base']);
  return parameters.length > 0 ? `${base}${base.includes('?') ? '&' : '?'}${parameters.join('&')}` : base;
}

/** `$page` and `$path` remain, because they differ on each page. */
function escapeValue(value: string): string {
  return value
    .split(/(\$(?:page|path|mcp)\b)/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
