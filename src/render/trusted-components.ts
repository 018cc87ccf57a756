// The components of a docs folder whose author trusts them: compiled when the folder is opened, and rendered with the pages.
import type { ExportAsset } from '../../integration/export/export-site.ts';
import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { cachedValue, type ExportCache } from '../../integration/output/export-cache.ts';
import type { CompiledIsland, CompileFault } from '../islands/compile.ts';
import type { Islands } from '../islands/islands.ts';
import { mayDefineComponents, type SnippetUses } from '../markdown/snippet-uses.ts';
import type { Source, SourcePage, SourceSnippet } from '../source/source.ts';
import { islandScript } from '../site/extras.ts';
import type { Theme } from '../theme/load.ts';
import { generator } from '../version.ts';

interface TrustedComponents {
  islands?: Islands;
  assets: ExportAsset[];
  problems: Problem[];
  /** Whether a page can use such a component. */
  isUsedOn(page: SourcePage): boolean;
  /** The ids of the scripts that a page can use. */
  dependencies(page: SourcePage): string[];
  close(): void;
}

interface TrustedOptions {
  source: Source;
  uses: SnippetUses;
  theme: Theme;
  cache?: ExportCache;
}

/** Compiles the components of a docs folder, if it has any. Throws an ExportError where they cannot be run. */
export async function openTrustedComponents({
  source: { pages, snippets },
  uses,
  theme,
  cache,
}: TrustedOptions): Promise<TrustedComponents | undefined> {
  const filesOf = (file: SourcePage | SourceSnippet) => [file, ...uses.snippetsOf(file)];
  const files = new Map(pages.flatMap(filesOf).map((file) => [file.file.normalize('NFC'), file]));
  const candidates = [...files].filter(([, file]) => mayDefineComponents(file)).map(([path]) => path);
  if (candidates.length === 0) return undefined;

  const { createCodeModules } = await import('../markdown/code-modules.ts');
  const modules = createCodeModules(new Map([...snippets, ...files]), uses);
  const compiled = new Map<string, CompiledIsland>();
  const faults = new Map<string, CompileFault>();
  for (const file of candidates) {
    if (!modules.hasComponents(file)) continue;
    const imported = filesOf(files.get(file)!).map(({ digest }) => digest);
    const result = await cachedValue(cache, 'island', [generator, file, imported], async () =>
      (await import('../islands/compile.ts')).compileIsland(file, modules),
    );
    if ('fault' in result) faults.set(JSON.stringify(result.fault), result.fault);
    else compiled.set(file, result);
  }
  const { checkSandbox } = await import('../islands/sandbox.ts');
  if (compiled.size > 0) checkSandbox();
  const { openIslands } = await import('../islands/islands.ts');
  const opened = openIslands({ compiled, runtime: await theme.islandsRuntime() });
  const idsOf = (page: SourcePage) => filesOf(page).flatMap(({ file }) => compiled.get(file.normalize('NFC'))?.id ?? []);
  return {
    islands: opened,
    // Files with the same text have the same script.
    assets: [...new Map([...compiled.values()].map((one) => [one.id, one])).values()].map(({ id, script }) => ({
      path: islandScript(id).slice(1),
      contents: script,
      neededFor: `island ${id}`,
    })),
    problems: [...faults.values()].map(faultProblem),
    isUsedOn: (page) => idsOf(page).length > 0,
    dependencies(page) {
      const ids = idsOf(page);
      return ids.length > 0 ? [...ids.sort(), 'trusted'] : [];
    },
    close: opened.close,
  };
}

function faultProblem({ file, line, column, message }: CompileFault): Problem {
  return createProblem({
    kind: 'component-not-compiled',
    page: file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: `The components of this file cannot be compiled: ${message}.`,
    hint: 'Correct the file. Until then, pages show placeholders in their place.',
  });
}
