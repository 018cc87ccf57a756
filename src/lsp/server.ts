// The Language Server Protocol over standard input and output: editors send what is typed, and get what a check would print.
import { Console } from 'node:console';
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import {
  createConnection,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type InitializeResult,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isInside, realTarget } from '../../integration/output/output-path.ts';
import { carrelVersion } from '../version.ts';
import { openFolder } from '../source/read-source.ts';
import { completionsAt } from './completion.ts';
import { filePath, followFolder, type EditorPosition, type FolderOptions, type FollowedFolder } from './follow-folder.ts';
import { hoverAt } from './hover.ts';
import { editsOfMoves } from './moves.ts';

export interface LanguageServerOptions extends FolderOptions {
  /** The docs folder. Without it, that of a file is the nearest one above with a docs.json, or else the folder that the editor has opened. */
  folder?: string;
}

const capabilities: InitializeResult['capabilities'] = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: ['<', '/', '#', '"', "'", '(', ' '] },
  hoverProvider: true,
  // Also folders, which contain pages.
  workspace: { fileOperations: { willRename: { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] } } },
};

/** Answers an editor until it ends the connection, which also ends this process. */
export function runLanguageServer({ folder: named, ...options }: LanguageServerOptions): void {
  const folder = named === undefined ? undefined : openFolder(named);
  // Standard output has messages of the protocol alone.
  globalThis.console = new Console(process.stderr);
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const folders = new Map<string, FollowedFolder>();
  let workspace: string[] = [];

  /** The folder that the editor has opened, for a page in it; a new name of any other file is no reason to read the whole folder. */
  const plainRoot = (path: string): string | undefined =>
    workspace.find((one) => isInside(one, path) && (/\.mdx?$/i.test(path) || folders.has(one)));
  /** The docs folder of a file, and the path of the file in it. */
  const placeOf = (uri: string): { docs: FollowedFolder; file: string } | undefined => {
    const path = filePath(uri);
    if (path === undefined) return undefined;
    // Editors name files by links, while the folder of a process is a real path.
    const docsRoot = folderAbove(path, folder === undefined ? hasConfig : (at) => realTarget(at) === folder);
    const root = docsRoot ?? (folder === undefined ? plainRoot(path) : undefined);
    if (root === undefined || path === root) return undefined;
    let docs = folders.get(root);
    if (!docs)
      folders.set(root, (docs = followFolder(root, { connection, documents, isNamed: docsRoot !== undefined, ...options })));
    return { docs, file: relative(root, path).split(sep).join('/') };
  };

  const answer =
    <Answer>(answerAt: (at: EditorPosition) => Answer) =>
    async ({ textDocument: { uri }, position }: TextDocumentPositionParams): Promise<Answer | null> => {
      const document = documents.get(uri);
      const place = document && placeOf(uri);
      const read = await place?.docs.read();
      return document && place && read
        ? answerAt({ ...read, file: place.file, document, offset: document.offsetAt(position) })
        : null;
    };

  connection.onInitialize(({ workspaceFolders, rootUri }) => {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    workspace = uris.flatMap((uri) => filePath(uri) ?? []).sort((a, b) => b.length - a.length);
    return { capabilities, serverInfo: { name: 'carrel', version: carrelVersion } };
  });
  documents.onDidChangeContent(({ document }) => placeOf(document.uri)?.docs.update());
  documents.onDidClose(({ document }) => placeOf(document.uri)?.docs.update());
  connection.onCompletion(answer(completionsAt));
  connection.onHover(answer(hoverAt));
  connection.workspace.onWillRenameFiles(async ({ files }) => {
    const moves = files.flatMap(({ oldUri, newUri }) => {
      const [from, to] = [placeOf(oldUri), placeOf(newUri)];
      return from && from.docs === to?.docs ? [{ docs: from.docs, from: from.file, to: to.file }] : [];
    });
    const changes = [...Map.groupBy(moves, ({ docs }) => docs)].map(async ([docs, those]) => {
      const read = await docs.read();
      return read && editsOfMoves(read, those, docs);
    });
    return { changes: Object.assign({}, ...(await Promise.all(changes))) };
  });
  connection.onShutdown(() => {
    for (const docs of folders.values()) docs.close();
  });
  documents.listen(connection);
  connection.listen();
}

function folderAbove(path: string, fits: (folder: string) => boolean): string | undefined {
  for (let at = dirname(path), below = path; at !== below; below = at, at = dirname(at)) if (fits(at)) return at;
  return undefined;
}

function hasConfig(folder: string): boolean {
  return ['docs.json', 'mint.json'].some((name) => existsSync(join(folder, name)));
}
