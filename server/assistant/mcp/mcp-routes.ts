// The docs of a site for programs that speak the Model Context Protocol, over HTTP: one route, with the assistant key of the site.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import type { Api, ApiEnvironment } from '../../http/api.ts';
import type { Limits } from '../../organizations/limits.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { answerText } from '../answer/answer-text.ts';
import type { Assistant } from '../answer/assistant.ts';
import { assistantKey, domainOf, siteWithoutExportError, type SiteAccessParts } from '../../sites/site-access.ts';
import { askerOf, limitsOf, searchLimit, type QuestionLimits } from '../request/asker.ts';
import type { StreamLimit } from '../stream/stream-limit.ts';
import { createDocsServer, type DocsServerParts } from './docs-server.ts';

export interface McpParts extends SiteAccessParts {
  assistant: Pick<Assistant, 'docs' | 'answer'>;
  limits: Pick<Limits, 'count'>;
  options: QuestionLimits & Pick<ServerOptions, 'searchesPerHour'>;
  streams: StreamLimit;
  stopping?: AbortSignal;
}

// Docs change with an export only, and a client that waits for that holds a connection.
const mostSubscriptions = 100;

export function addMcpRoutes(api: Api, parts: McpParts): void {
  const { assistant, limits, options, stopping, streams } = parts;
  const handler = createMcpHandler(({ authInfo }) => createDocsServer(authInfo?.extra?.parts as DocsServerParts), {
    maxSubscriptions: mostSubscriptions,
  });
  stopping?.addEventListener('abort', () => void handler.close(), { once: true });

  api.on(['POST', 'GET', 'DELETE'], '/mcp/:domain', assistantKey(parts), async (context) => {
    const domain = domainOf(context);
    const opened = await assistant.docs(domain);
    if (!opened) throw siteWithoutExportError(domain);
    const parts: DocsServerParts = { ...opened, domain, count: counter(context), ask: asker(context) };
    // The handler passes this on to the server of the request; the key itself was checked above.
    return handler.fetch(context.req.raw, {
      authInfo: { token: '', clientId: context.get('key').id, scopes: [], extra: { parts } },
    });
  });

  function counter(context: Context<ApiEnvironment>): NonNullable<DocsServerParts['count']> {
    const caller = askerOf(context);
    return async (what) => {
      const limited =
        what === 'question'
          ? limitsOf(options, caller, context.get('address'))
          : [searchLimit(options, caller.organization, what)];
      await limits.count(limited);
    };
  }

  function asker(context: Context<ApiEnvironment>): DocsServerParts['ask'] {
    const domain = domainOf(context);
    return async (text, filter, signal) => {
      const question = { text, turns: [], context: [], files: [], filter, pages: 5 };
      const release = streams.take(context.get('key').id);
      try {
        const answer = await assistant.answer(domain, question, signal);
        if (!answer) throw siteWithoutExportError(domain);
        return await answerText(answer.events);
      } finally {
        release();
      }
    };
  }
}
