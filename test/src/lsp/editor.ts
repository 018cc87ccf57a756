import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
} from 'vscode-languageserver-protocol/node';

const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');

export type Editor = Awaited<ReturnType<typeof openEditor>>;

/** A client of `carrel lsp`, as an editor that has a folder open. */
export async function openEditor(root: string, args: string[] = ['--cache', 'off']) {
  const child = spawn(process.execPath, [program, 'lsp', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const published = new Map<string, Diagnostic[]>();
  const waiting = new Set<() => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    published.set(uri, diagnostics);
    for (const look of waiting) look();
  });
  connection.listen();
  const uri = (file: string) => pathToFileURL(join(root, file)).href;
  let version = 0;
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'docs' }],
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return {
    ...{ child, connection, uri },
    /** The diagnostics by the URIs of files. */
    published,
    /** Resolves with the exit code. */
    ended,
    open: (file: string, text: string) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: uri(file), languageId: 'mdx', version: ++version, text },
      }),
    change: (file: string, text: string) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uri(file), version: ++version },
        contentChanges: [{ text }],
      }),
    shut: (file: string) =>
      connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uri(file) } }),
    /** The diagnostics of a file once they fit. */
    until: (file: string, fits: (diagnostics: Diagnostic[]) => boolean) =>
      new Promise<Diagnostic[]>((resolve, reject) => {
        const found = () => published.get(uri(file));
        const timer = setTimeout(() => reject(new Error(`${file} has ${JSON.stringify(found())}`)), 60_000);
        const look = () => {
          const diagnostics = found();
          if (diagnostics === undefined || !fits(diagnostics)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(diagnostics);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return ended;
    },
  };
}
