import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carrel } from './carrel.ts';

const root = mkdtempSync(join(tmpdir(), 'carrel-mcp-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');

beforeAll(async () => {
  const docs = join(import.meta.dirname, '../../../fixtures/plain-folder');
  const { code, stderr } = await carrel(['export', docs, '--out', 'site', '--zip', 'site.zip', '--cache', 'off'], { cwd: root });
  if (code !== 0) throw new Error(stderr);
});

test.each(['site', 'site.zip'])('a tool asks the docs of %s without a network', async (source) => {
  const client = new Client({ name: 'test', version: '1' });
  const offline = ['--map-root-user', '--net', process.execPath, program, 'mcp', source];
  await client.connect(new StdioClientTransport({ command: 'unshare', args: offline, cwd: root }));
  const text = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text: string }[])[0]!.text;
  };
  expect(await text('list_pages', {})).toContain('](/03-parts)');
  expect(await text('read_page', { path: '03-parts' })).toContain('Filter');
  const answer = await text('ask', { question: 'How much does the filter cost?' });
  expect(answer).toContain('$3');
  expect(answer).toContain('](/03-parts');
  const { resources } = await client.listResources();
  expect(resources.length).toBeGreaterThan(2);
  await client.close();
});

test('what is not an export is named', async () => {
  expect(await carrel(['mcp', 'nowhere'], { cwd: root })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/There is no folder or archive ".*nowhere"/),
  });
});
