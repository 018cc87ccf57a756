import { isRecord } from '../../integration/text/json.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';
import { isPublished } from '../version.ts';
import { siteHref } from './page-paths.ts';

/** The menu of a page: `contextual` of docs.json or of a page's frontmatter. The first entry is the menu's button. */
export interface PageMenu {
  place: 'header' | 'toc';
  entries: PageMenuEntry[];
  /** Whether an entry needs the page's Markdown. */
  copiesMarkdown: boolean;
  /** Where an entry connects an AI tool: the command that offers a copy of the docs to it, without the folder. */
  mcpCommand?: string;
}

export type PageMenuEntry =
  | { kind: 'copy' | 'view' | 'assistant' | 'download-pdf' }
  /** A chat on an external origin that reads the page; the reader's script replaces `{prompt}`. */
  | { kind: 'chat'; name: string; href: string }
  /** Copies the MCP server of the docs, or adds it to an editor. */
  | { kind: 'mcp'; editor?: Editor }
  /** An author's own entry. The reader's script replaces `$page` with the page's text, and `$mcp` with the URL of the MCP server. */
  | { kind: 'link'; title: string; description?: string; icon?: string; href: string };

type Editor = 'Cursor' | 'VS Code';

/** Options that connect an AI tool; `add-mcp` would copy the command of a package of others. */
const mcpOptions: Record<string, Editor | undefined> = {
  mcp: undefined,
  'add-mcp': undefined,
  cursor: 'Cursor',
  vscode: 'VS Code',
};

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
  const all = (Array.isArray(options) ? options : []).flatMap((option) => menuEntry(option) ?? []);
  const isCopy = (entry: PageMenuEntry) => entry.kind === 'mcp' && entry.editor === undefined;
  const entries = all.filter(
    (entry, index) => !(isOffline && entry.kind === 'chat') && !(isCopy(entry) && all.findIndex(isCopy) < index),
  );
  if (entries.length === 0) return undefined;
  return {
    place: display === 'toc' ? 'toc' : 'header',
    entries,
    copiesMarkdown: entries.some((entry) => entry.kind === 'copy' || (entry.kind === 'link' && entry.href.includes('$page'))),
    ...(entries.some(({ kind }) => kind === 'mcp') && { mcpCommand: `npx ${isPublished ? '' : '--no '}carrel mcp` }),
  };
}

/** The entry of an option; undefined for one that is not supported. */
export function menuEntry(option: unknown): PageMenuEntry | undefined {
  if (option === 'copy' || option === 'view' || option === 'assistant' || option === 'download-pdf') return { kind: option };
  if (typeof option === 'string' && Object.hasOwn(mcpOptions, option)) return { kind: 'mcp', editor: mcpOptions[option] };
  if (typeof option === 'string') return Object.hasOwn(chats, option) ? { kind: 'chat', ...chats[option]! } : undefined;
  if (!isRecord(option) || typeof option['title'] !== 'string') return undefined;
  const href = hrefOf(option['href']);
  if (href === undefined || safeUrl(href) === undefined) return undefined;
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

/** `$page`, `$path` and `$mcp` remain, because they differ on each page or host. */
function escapeValue(value: string): string {
  return value
    .split(/(\$(?:page|path|mcp)\b)/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
