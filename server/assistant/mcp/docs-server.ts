// The docs of a site for programs that speak the Model Context Protocol: tools that search, read and answer, and a resource for each page.
import { McpServer, ResourceTemplate, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { DocsIndex, SiteDocs } from '../../active-exports/site-docs.ts';
import { docsTools, listPages, readPage, searchDocs, type DocsVariant } from '../retrieve/docs-tools.ts';
import { passagesOf } from '../retrieve/passages.ts';
import { line } from '../retrieve/prompt-text.ts';

/** What a program asks for. */
type McpRequest = 'search' | 'page' | 'question';

export interface DocsServerParts {
  docs: SiteDocs;
  /** Where readers find the site, if that is known. */
  siteUrl: string | undefined;
  /** The host in the URIs of resources. */
  domain: string;
  /** Called before each request; what it throws becomes the result. */
  count?(what: McpRequest): Promise<void>;
  /** The answer to a question, as Markdown with its sources. The signal is aborted when the client leaves, or may no longer ask. */
  ask(question: string, filter: Filter, signal: AbortSignal): Promise<string>;
}

interface Filter {
  language?: string;
  version?: string;
}

// A client cuts what is longer, or fills the context of its model with it.
const searchTokens = 4000;
const pageTokens = 8000;
const pagesPerList = 200;

const variant = {
  language: z.string().max(200).optional().describe('Language of the documentation, such as en; the default one if absent'),
  version: z.string().max(200).optional().describe('Version of the documentation; the default one if absent'),
};

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A server for one connection or request. */
export function createDocsServer({ docs, siteUrl, domain, count, ask }: DocsServerParts): McpServer {
  const server = new McpServer(
    { name: `carrel-${domain}`, title: docs.name, version: docs.version },
    {
      instructions: `The documentation "${docs.name}". Search it, or list its pages, before you read a page. ask answers a question with sources.`,
    },
  );

  server.registerTool(
    'search',
    { title: 'Search', ...forVariants(docsTools.search), annotations: readOnly },
    async ({ query, ...filter }) => {
      const found = passagesOf(await searchDocs(await counted('search', filter), { query }), searchTokens);
      if (found.length === 0) return text('Nothing was found. Try other words.');
      return text(
        found
          .map(({ section: { id, title, headings }, text }) => {
            const names = [title, ...headings.filter((heading, i) => i > 0 || heading !== title)].map(line);
            return `## ${names.join(' › ')}\n\nPath: /${id}\n\n${text}`;
          })
          .join('\n\n'),
      );
    },
  );

  server.registerTool('read_page', { title: 'Read a page', ...docsTools.read_page, annotations: readOnly }, async (input) => {
    await count?.('page');
    const read = await readPage({ docs, siteUrl }, input, pageTokens);
    if (!read) return failed(`There is no page "${line(input.path)}". Use a path from search or list_pages.`);
    if (read.part === '') return failed(`The page has ${read.text.length} characters; you asked for what follows them.`);
    const more = read.next === undefined ? '' : `\n\n(The page goes on: read it with offset ${read.next}.)`;
    return text(read.part + more);
  });

  server.registerTool(
    'list_pages',
    { title: 'List pages', ...forVariants(docsTools.list_pages), annotations: readOnly },
    async ({ under, offset, ...filter }) => {
      const { pages, total, next } = listPages(await counted('page', filter), { under, offset }, pagesPerList);
      if (pages.length === 0) return failed(total === 0 ? 'There is no such page.' : `There are ${total} pages.`);
      const rows = pages.map(({ path, title }) => `- [${line(title)}](/${path})`).join('\n');
      return text(next === undefined ? rows : `${rows}\n\n(${total - next} more: list them with offset ${next}.)`);
    },
  );

  server.registerTool(
    'ask',
    {
      title: 'Ask',
      description: 'Answers a question about the documentation, with its sources. Without an answer there, it says so.',
      inputSchema: z.object({ question: z.string().trim().min(1).max(2000), ...variant }),
      annotations: readOnly,
    },
    async ({ question, ...filter }, { mcpReq }) => {
      await count?.('question');
      return text(await ask(question, filter, mcpReq.signal));
    },
  );

  const list = async () => {
    await count?.('page');
    return { resources: docs.pages.map(({ path, title }) => resourceOf(domain, path, title)) };
  };
  server.registerResource(
    'page',
    new ResourceTemplate(`carrel://${domain}/{+path}`, { list }),
    { title: 'Page', description: 'A page as Markdown', mimeType: 'text/markdown' },
    readResource,
  );
  // The template has no URI without a path.
  server.registerResource('home', resourceOf(domain, '').uri, { title: 'Home page', mimeType: 'text/markdown' }, readResource);
  return server;

  async function readResource(uri: URL) {
    await count?.('page');
    const markdown = await docs.markdown(decodeURIComponent(uri.pathname).replace(/^\/+|\/+$/g, ''));
    if (markdown === undefined) throw new Error(`There is no page ${uri.href}. List the resources, or use list_pages.`);
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: markdown }] };
  }

  async function counted(what: McpRequest, { language, version }: Filter): Promise<DocsVariant> {
    await count?.(what);
    const found: DocsIndex | undefined = await docs.index({ language, version });
    if (found) return { docs, found, siteUrl };
    const known = docs.kinds.map((kind) => [kind.language, kind.docsVersion].filter(Boolean).join(' '));
    throw new Error(`There is no documentation in this language and version. There is: ${known.join(', ')}.`);
  }
}

function resourceOf(domain: string, path: string, title?: string) {
  const uri = `carrel://${domain}/${path.split('/').map(encodeURIComponent).join('/')}`;
  return { uri, name: path || 'home', title, mimeType: 'text/markdown' };
}

/** A tool that takes a language and a version, too. */
function forVariants<Shape extends z.ZodRawShape>(tool: { description: string; inputSchema: z.ZodObject<Shape> }) {
  return { description: tool.description, inputSchema: tool.inputSchema.extend(variant) };
}

function text(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function failed(reason: string): CallToolResult {
  return { ...text(reason), isError: true };
}
