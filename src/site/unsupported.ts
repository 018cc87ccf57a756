import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import type { DocsConfig } from '../source/docs-json.ts';
import { notInSpecifications, pageKeys, writtenEndpoint } from '../openapi/named-specifications.ts';
import type { PageFacts } from './page-facts.ts';
import { fontPackage, isBuiltInFont, isOwnFont, notInFolder, type SiteFonts } from './site-fonts.ts';
import { codeblocks } from './site-config.ts';
import { isRecord } from '../../integration/text/json.ts';
import { menuEntry } from './page-menu.ts';

/** Settings of the API reference that have an effect, by key; '' for a value that is not an object. */
const supportedApi: Record<string, string[]> = {
  openapi: ['', 'source', 'directory'],
  asyncapi: ['', 'source', 'directory'],
  mdx: ['', 'server', 'auth'],
  playground: ['display'],
  params: ['expanded'],
  examples: ['languages'],
};

/** Reports settings that an export does not support, by key. */
export function unsupportedSettings(config: DocsConfig, configFile: string, fonts?: SiteFonts): Problem[] {
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], kind: Problem['kind'], key: string, why: string) =>
    problems.push({ kind, severity, page: configFile, message: `"${key}": ${why}.` });
  for (const key of Object.keys((config.api as object | undefined) ?? {})) {
    const known = supportedApi[key];
    const value = (config.api as Record<string, unknown>)[key];
    for (const inner of known === undefined || !isRecord(value) ? [''] : Object.keys(value)) {
      if (known?.includes(inner)) continue;
      const name = inner ? `api.${key}.${inner}` : `api.${key}`;
      report('note', 'config-not-supported', name, 'this setting of the API reference is not supported yet');
    }
  }
  for (const option of config.contextual?.options ?? []) {
    if (menuEntry(option)) continue;
    const name =
      typeof option === 'string' ? option : JSON.stringify((option as { title?: unknown } | null)?.title ?? 'own entry');
    report('note', 'config-not-supported', `contextual.options (${name})`, 'this entry of the page menu is not supported yet');
  }
  for (const [key, font] of Object.entries({
    fonts: config.fonts,
    'fonts.heading': config.fonts?.heading,
    'fonts.body': config.fonts?.body,
  })) {
    if (!font?.family || isOwnFont(font) || isBuiltInFont(font) || fonts?.found.has(font.family)) continue;
    problems.push(
      createProblem({
        kind: 'font-not-included',
        page: configFile,
        message: `"${key}": "${font.family}" is not in the export, because ${fonts?.missing.get(font.family) ?? notInFolder}; the built-in font is used.`,
        hint:
          font.source === undefined
            ? `Install ${fontPackage(font.family)} in the docs folder, export with --vendor, or put the file into the folder and name it as "source".`
            : 'Export with --vendor, or put the file into the docs folder and name it as "source".',
      }),
    );
  }
  const written = config.styling?.codeblocks;
  const { codeblocks: scheme, codeTheme } = codeblocks(written);
  if (written !== undefined && written !== scheme && !codeTheme)
    report(
      'note',
      'config-not-supported',
      'styling.codeblocks',
      'only "system", "dark" and the themes of Shiki are supported; "system" is used',
    );
  if (isRecord(written) && written['languages'] !== undefined)
    report('note', 'config-not-supported', 'styling.codeblocks.languages', 'code in further languages is shown without colors');
  const others: [key: string, isSet: boolean, why: string][] = [
    ['thumbnails', config.thumbnails !== undefined, 'images for social networks are not generated'],
    ['styling.latex', config.styling?.latex === false, 'formulas are recognized by their delimiters'],
    ['markdown.schema', config.markdown?.schema === false, 'Markdown versions of operations contain their reference'],
  ];
  for (const [key, isSet, why] of others) if (isSet) report('note', 'config-not-supported', key, why);
  return problems;
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reports pages whose frontmatter refers to part of a specification: their own text is shown, that part is not. */
export function unsupportedPages(
  pages: readonly PageFacts[],
  unresolved: ReadonlyMap<string, string> = new Map(),
  isCounted: (reason: string | undefined) => boolean = () => false,
): Problem[] {
  return pages.flatMap(({ source: { file, frontmatter, described } }): Problem[] => {
    if (described) return [];
    const key = pageKeys.find((name) => frontmatter[name] !== undefined);
    if (key) {
      const entry = shownValue(frontmatter[key]).trim();
      if (isCounted(unresolved.get(entry))) return [];
      const shown = `${file} shows its own text, but not "${entry}": ${unresolved.get(entry) ?? notInSpecifications}.`;
      const isEmpty = entry === '' || entry === 'null';
      return [
        createProblem({
          kind: 'specification-page-missing',
          page: file,
          message: isEmpty ? `"${key}" in the frontmatter of ${file} is empty: the page describes nothing.` : shown,
        }),
      ];
    }
    if (frontmatter.api === undefined || writtenEndpoint(frontmatter)) return [];
    return [
      createProblem({
        kind: 'page-operation-invalid',
        page: file,
        message: `"api" in the frontmatter of ${file} is "${shownValue(frontmatter.api)}", which is not a method and a URL, so the page shows no operation.`,
        hint: 'Write it as "GET /users" or "POST https://api.example.com/users".',
      }),
    ];
  });
}

/** Reports scripts in the docs folder, which the hosted format runs on every page. */
export function unsupportedScripts(assets: readonly { path: string }[]): Problem[] {
  return assets
    .filter((asset) => asset.path.endsWith('.js'))
    .map(({ path }) =>
      createProblem({
        kind: 'script-not-run',
        page: path,
        message: `${path} is copied, but no page runs it: nothing from a docs folder is executed.`,
      }),
    );
}
