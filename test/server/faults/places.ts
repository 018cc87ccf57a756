// A folder for a test, real server processes on it, and what both leave to be removed.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { followJob, startServerProcess, type ServerProcess } from '../../support/server-process.ts';
import { addEmptyDatabase } from '../support/embedded.ts';

/** The arguments of Node that start a server whose first site is small. */
export const smallServer = [fileURLToPath(new URL('./small-server.ts', import.meta.url))];
const fixture = fileURLToPath(new URL('../../../fixtures/plain-folder', import.meta.url));

export type AtEnd = (clear: () => Promise<void> | void) => void;

/** A folder that is gone after the test, or when `atEnd` says, with a small docs folder in it. */
export function place(atEnd: AtEnd = onTestFinished): { root: string; data: string; docs: string } {
  const root = mkdtempSync(join(tmpdir(), 'carrel-faults-'));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fixture, join(root, 'docs'), { recursive: true });
  return { root, data: join(root, 'data'), docs: join(root, 'docs') };
}

/** A server whose first site is small; ended after the test, or when `atEnd` says. */
export async function startServer(
  data: string,
  environment: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<ServerProcess> {
  if (!environment.DATABASE_URL && !existsSync(data)) await addEmptyDatabase(data);
  const server = await startServerProcess(data, environment, smallServer);
  atEnd(() => server.kill());
  return server;
}

/** Waits until the first site is exported, and gives the job. */
export async function firstExport(server: ServerProcess): Promise<string> {
  const { jobs } = (await (await server.request('GET', '/v1/static-export/jobs')).json()) as { jobs: { jobId: string }[] };
  const { jobId } = jobs[0]!;
  expect(await followJob(server, jobId)).toMatchObject({ status: 'completed', error: null });
  return jobId;
}

/** Registers a site for a folder. */
export async function addSite(server: ServerProcess, domain: string, path: string): Promise<void> {
  const answer = await server.request('PUT', `/v1/sites/${domain}`, { source: { type: 'folder', path } });
  if (!answer.ok) throw new Error(`${domain}: ${answer.status} ${await answer.text()}`);
}
