// A docs folder that an editor works in: checked after each change of a document or a file; the editor gets the problems that changed.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type Connection, type Diagnostic, type TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { problemText, type Problem } from '../../integration/diagnostics.ts';
import { isInside } from '../../integration/output/output-path.ts';
import { watchRules } from '../preview/preview-docs.ts';
import { watchFolder } from '../preview/watch-folder.ts';
import { openEditedDocs, type EditedDocsOptions, type ReadDocs } from './edited-docs.ts';

interface FollowedFolderOptions extends EditedDocsOptions {
  connection: Connection;
  documents: TextDocuments<TextDocument>;
  /** Whether the folder has a docs.json or was named, so that it is surely docs. */
  isNamed: boolean;
}

export type FollowedFolder = ReturnType<typeof followFolder>;

/** A place in a document of a docs folder. */
export interface EditorPosition extends ReadDocs {
  /** Path in the docs folder. */
  file: string;
  document: TextDocument;
  offset: number;
}

/** Milliseconds without a change after which the folder is checked. */
const quiet = 40;

export function followFolder(root: string, { connection, documents, isNamed, ...options }: FollowedFolderOptions) {
  const docs = openEditedDocs(root, options);
  const published = new Map<string, string>();
  let read: ReadDocs | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let waiting: Promise<void> | undefined;
  let rules = watchRules(root);
  const watcher = watchFolder(root, {
    ignoresFolder: (path) => rules.ignoresFolder(path),
    ignoresFile: (path) => rules.ignoresFile(path),
    onChange: () => update(),
    onFault: (message) => connection.console.warn(`Not all folders are watched: ${message}`),
  });

  /** The open documents of the folder, by their paths in it. */
  const opened = (): Map<string, TextDocument> =>
    new Map(
      documents.all().flatMap((document): [string, TextDocument][] => {
        const path = filePath(document.uri);
        return path === undefined || !isInside(root, path) ? [] : [[relative(root, path).split(sep).join('/'), document]];
      }),
    );
  const uriOf = (file: string): string => opened().get(file)?.uri ?? pathToFileURL(join(root, file)).href;
  const textOf = (file: string): string | undefined => opened().get(file)?.getText() ?? savedText(join(root, file));

  const check = async (): Promise<void> => {
    const texts = [...opened()].map(([file, document]): [string, string] => [file, document.getText()]);
    const unsaved = new Map(texts.filter(([file, text]) => savedText(join(root, file)) !== text));
    const checked = await docs.check(unsaved);
    read = checked.read;
    // A repository with docs in one of its folders is not docs itself.
    const isDocs = isNamed || checked.problems.every(({ kind }) => kind !== 'config-in-subfolder');
    publish(isDocs ? checked.problems : [], read?.site.source.configFile ?? '');
    rules = watchRules(root, read?.site.source);
    watcher.update();
  };
  const next = (): Promise<void> => {
    waiting ??= running.then(() => {
      waiting = undefined;
      return (running = check().catch((error: unknown) => connection.console.error(String(error))));
    });
    return waiting;
  };
  const update = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void next(), quiet);
  };

  /** Sends the problems of the files whose problems are not those that the editor has. */
  const publish = (problems: readonly Problem<string>[], configFile: string): void => {
    const byFile = Map.groupBy(problems, ({ page = configFile }) => fileOf(root, page));
    for (const file of new Set([...published.keys(), ...byFile.keys()])) {
      const those = byFile.get(file) ?? [];
      const text = JSON.stringify(those);
      if (published.get(file) === text) continue;
      if (those.length > 0) published.set(file, text);
      else published.delete(file);
      void connection.sendDiagnostics({
        uri: uriOf(file),
        diagnostics: those.length > 0 ? diagnosticsOf(those, textOf(file) ?? '') : [],
      });
    }
  };

  return {
    uriOf,
    textOf,
    update,
    /** What is known of the folder, once it was read. */
    async read(): Promise<ReadDocs | undefined> {
      if (!read) await next();
      return read;
    },
    close(): void {
      clearTimeout(timer);
      watcher.close();
      docs.close();
    },
  };
}

/** The path that a URI names; undefined for one that is not of a file on this machine. */
export function filePath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function savedText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The file of a problem: a page of an API is `openapi.json (GET /users)`. */
function fileOf(root: string, page: string): string {
  const file = page.replace(/ \([^()]*\)$/, '');
  return file === page || existsSync(join(root, page)) ? page : file;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

function diagnosticsOf(problems: readonly Problem<string>[], text: string): Diagnostic[] {
  const lines = text.split(/\r?\n/);
  const all = problems.map((problem): Diagnostic => {
    const { kind, severity, line = 1, column } = problem;
    const written = lines[line - 1] ?? '';
    const character = Math.min(column === undefined ? written.search(/\S|$/) : column - 1, written.length);
    // A text in quotes, a word or a tag; without a column, the whole line.
    const part = column === undefined ? /.*/ : /^"[^"]*"|^<?\/?[^\s"'<>()[\]{}]*/;
    const length = part.exec(written.slice(character))?.[0].length || 1;
    const end = { line: line - 1, character: character + length };
    return {
      range: { start: { line: line - 1, character }, end },
      severity: severities[severity],
      code: kind,
      source: 'carrel',
      message: problemText(problem),
    };
  });
  // Several pages report what is in a snippet.
  return [...new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
