import { isRecord } from '../../integration/text/json.ts';
import { featureSettings } from '../../integration/reader/shared/feature-settings.ts';

type McpConfig = { command?: string; args?: string[]; url?: string; headers?: Record<string, string> };

/** What an AI tool connects to: a server, by its URL and the headers that it needs, or a program that the tool starts. */
export interface McpServer {
  url?: string;
  /** What a reader pastes: a command of a terminal, or the settings. */
  text: string;
  /** The URL that adds the server to an editor, by the editor's name. */
  links: Record<string, string>;
}

/**
 * The MCP server of the docs at `root`: that of the assistant's server in the settings, if these have a key, or on disk `command`, which reads
 * this copy. None on other hosts; the token that a hosted page has in place of a key expires within an hour.
 */
export function mcpServer(root: URL, command: string, settings: unknown): McpServer | undefined {
  if (root.protocol === 'file:') {
    const folder = folderOnDisk(root);
    const [program, ...args] = command.split(' ');
    return described('docs', { command: program, args: [...args, folder] }, `${command} ${quoted(folder)}`);
  }
  const assistant = featureSettings(settings, 'assistant');
  if (!isRecord(assistant)) return undefined;
  const { url, domain, key } = assistant;
  if (typeof url !== 'string' || typeof domain !== 'string' || typeof key !== 'string') return undefined;
  if (!key.startsWith('svc_dsc_')) return undefined;
  const written = `${url.replace(/\/discovery\/*$/, '')}/mcp/${domain}`;
  const server = URL.canParse(written, root) ? new URL(written, root) : undefined;
  if (!/^https?:$/.test(server?.protocol ?? '')) return undefined;
  const config = { url: server!.href, headers: { Authorization: `Bearer ${key}` } };
  return described(domain, config, JSON.stringify({ mcpServers: { [domain]: config } }, undefined, 2));
}

function described(name: string, config: McpConfig, text: string): McpServer {
  // `btoa` takes no characters beyond Latin-1.
  const bytes = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(config)));
  return {
    url: config.url,
    text,
    links: {
      // https://cursor.com/docs/mcp/install-links
      Cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${String(new URLSearchParams({ name, config: btoa(bytes) }))}`,
      // https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url
      'VS Code': `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...(config.url && { type: 'http' }), ...config }))}`,
    },
  };
}

/** The path of a folder as its system writes it: `C:/docs/site` on Windows. */
function folderOnDisk({ host, pathname }: URL): string {
  const path = decodeURIComponent(pathname)
    .replace(/^\/(?=[A-Za-z]:)/, '')
    .replace(/(?<=.)\/$/, '');
  return host === '' ? path : `//${host}${path}`;
}

function quoted(path: string): string {
  if (/^[\w./:@%+=~-]+$/.test(path)) return path;
  // Windows has no single quotes, and no double ones in names.
  return /^(?:[A-Za-z]:|\/\/)/.test(path) ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
