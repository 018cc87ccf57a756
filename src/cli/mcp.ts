import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { quotedText } from '../../server/assistant/answer/answer-text.ts';
import { createDocsServer } from '../../server/assistant/mcp/docs-server.ts';
import { openExport } from './exported-docs.ts';
import { defineCommand } from './usage.ts';

const options = {};

/** `carrel mcp`: how it is used. */
export const command = defineCommand({
  usage: 'mcp FOLDER|ZIP',
  summary: 'Offer the docs of an export to AI tools, over standard input and output (Model Context Protocol). Needs no network.',
  options,
  examples: [
    ['mcp site', 'Offer an exported folder'],
    ['mcp docs.zip', 'Offer a zip'],
    ['claude mcp add docs -- npx --no carrel mcp ./site', 'Register it with a program (here Claude Code)'],
  ],
  /** Ends with standard input. */
  async run({ words: [source = ''] }) {
    const { docs, manifest } = await openExport(source);
    const domain = hostNameOf(manifest.site);
    const ask = (text: string, filter: object) => quotedText(docs, { text, ...filter });
    const ended = once(process.stdin, 'end');
    const connection = serveStdio(() => createDocsServer({ docs, siteUrl: undefined, domain, ask }));
    await ended;
    await connection.close();
  },
});

/** The name of a site as the host of a URI. */
function hostNameOf(site: string): string {
  const name = site
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name || 'docs';
}
