import { expect, test } from 'vitest';
import { mcpServer } from '../../../src/elements/mcp-server.ts';

const command = 'npx carrel mcp';
const settings = (assistant: object) => ({ features: { assistant } });

test.each([
  ['file:///srv/docs/site/', '/srv/docs/site', '/srv/docs/site'],
  ['file:///', '/', '/'],
  ["file:///home/jo/Jo's%20docs/", "/home/jo/Jo's docs", String.raw`'/home/jo/Jo'\''s docs'`],
  ['file:///C:/Users/J%C3%B6%20B/site/', 'C:/Users/Jö B/site', '"C:/Users/Jö B/site"'],
  ['file://host/share/site/', '//host/share/site', '//host/share/site'],
])('the copy at %s is offered by a command', (root, folder, word) => {
  const server = mcpServer(new URL(root), command, undefined)!;
  expect(server.text).toBe(`npx carrel mcp ${word}`);
  expect(server.url).toBeUndefined();
  const config = { command: 'npx', args: ['carrel', 'mcp', folder] };
  const cursor = new URL(server.links['Cursor']!);
  expect(`${cursor.protocol}//${cursor.host}${cursor.pathname}`).toBe('cursor://anysphere.cursor-deeplink/mcp/install');
  expect(cursor.searchParams.get('name')).toBe('docs');
  expect(JSON.parse(Buffer.from(cursor.searchParams.get('config')!, 'base64').toString())).toEqual(config);
  expect(JSON.parse(decodeURIComponent(new URL(server.links['VS Code']!).search.slice(1)))).toEqual({ name: 'docs', ...config });
});

test.each([
  ['https://api.example.com/discovery', 'https://api.example.com/mcp/docs.example.com'],
  ['https://example.com/carrel/discovery/', 'https://example.com/carrel/mcp/docs.example.com'],
  ['/discovery', 'https://docs.example.com/mcp/docs.example.com'],
])('a server at %s is offered by its URL and the key of the settings', (url, expected) => {
  const assistant = { url, domain: 'docs.example.com', key: 'svc_dsc_1' };
  const server = mcpServer(new URL('https://docs.example.com/v2/'), command, settings(assistant))!;
  const config = { url: expected, headers: { Authorization: 'Bearer svc_dsc_1' } };
  expect(server.url).toBe(expected);
  expect(JSON.parse(server.text)).toEqual({ mcpServers: { 'docs.example.com': config } });
  expect(JSON.parse(decodeURIComponent(new URL(server.links['VS Code']!).search.slice(1)))).toEqual({
    name: 'docs.example.com',
    type: 'http',
    ...config,
  });
});

test.each([
  ['without settings', undefined],
  ['whose settings have no server', settings({ mode: 'quotes' })],
  ['with the token of a hosted page', settings({ url: 'https://x.example/discovery', domain: 'd', key: 'page_1' })],
  ['whose host adds the key', settings({ url: '/discovery', domain: 'd' })],
  ['with an admin key', settings({ url: '/discovery', domain: 'd', key: 'svc_adm_1' })],
  ['with a URL that is not of the web', settings({ url: 'javascript:alert(1)//discovery', domain: 'd', key: 'svc_dsc_1' })],
])('a site %s has none', (_, given) => {
  expect(mcpServer(new URL('https://docs.example.com/'), command, given)).toBeUndefined();
});
