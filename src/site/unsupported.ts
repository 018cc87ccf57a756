import type { Problem } from '../../integration/diagnostics.ts';
import type { DocsConfig } from '../source/docs-json.ts';
import { writtenEndpoint } from '../openapi/written-endpoint.ts';
import { pageKeys } from '../openapi/described.ts';
import { notInSpecifications } from '../openapi/generate-pages.ts';
import type { PageFacts } from './page-facts.ts';
import { fontPackage, isBuiltInFont, isOwnFont, notInFolder, type SiteFonts } from './site-fonts.ts';
import { languageTag } from '../../integration/text/language-tag.ts';
import { menuEntry } from './page-menu.ts';
import { isWanted } from './navigation/contexts.ts';

/** Reports settings that an export does not support, by key. For translated settings, only those of the exported language. */
export function unsupportedSettings(
  config: DocsConfig,
  configFile: string,
  { language, fonts }: { language?: string; fonts?: SiteFonts } = {},
): Problem[] {
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], kind: string, key: string, why: string) =>
    problems.push({ kind, severity, page: configFile, message: `"${key}": ${why}.` });
  for (const key of Object.keys(config.integrations ?? {})) {
    report('note', 'integration-off', `integrations.${key}`, 'an export loads nothing from other hosts, so this is turned off');
  }
  for (const key of Object.keys((config.api as object | undefined) ?? {})) {
    if (['openapi', 'asyncapi', 'mdx'].includes(key) || (key === 'playground' && onlyDisplay(config.api))) continue;
    report('note', 'config-not-supported', `api.${key}`, 'this setting of the API reference is not supported yet');
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
    problems.push({
      kind: 'font-not-included',
      severity: 'note',
      page: configFile,
      message: `"${key}": "${font.family}" is not in the export, because ${fonts?.missing.get(font.family) ?? notInFolder}; the built-in font is used.`,
      hint:
        font.source === undefined
          ? `Install ${fontPackage(font.family)} in the docs folder, export with --vendor, or put the file into the folder and name it as "source".`
          : 'Export with --vendor, or put the file into the docs folder and name it as "source".',
    });
  }
  const codeblocks = config.styling?.codeblocks;
  if (codeblocks !== undefined && codeblocks !== 'system' && codeblocks !== 'dark') {
    report('note', 'config-not-supported', 'styling.codeblocks', 'only "system" and "dark" are supported; "system" is used');
  }
  for (const entry of config.navigation?.languages ?? []) {
    if (!isWanted({ language: languageTag(entry.language ?? '') }, { language })) continue;
    for (const key of ['banner', 'footer', 'navbar'] as const) {
      if (entry[key])
        report(
          'note',
          'config-not-supported',
          `navigation.languages (${entry.language}).${key}`,
          `the ${key} of the site is shown in every language`,
        );
    }
  }
  const others: [key: string, isSet: boolean, why: string][] = [
    ['navigation … directory', usesDirectory(config.navigation), 'the page that opens a group does not list its pages yet'],
    ['banner.color', config.banner?.color !== undefined, 'the color follows the type of the banner'],
    ['thumbnails', config.thumbnails !== undefined, 'images for social networks are not generated'],
    ['interaction.drilldown', config.interaction?.drilldown !== undefined, 'clicking a group opens and closes it'],
    ['markdown', config.markdown !== undefined, 'this has no effect on the Markdown of exports yet'],
    ['seo.organization', config.seo?.organization !== undefined, 'this is not written to the pages yet'],
    ['styling.latex', config.styling?.latex !== undefined, 'formulas are recognized by their delimiters'],
  ];
  for (const [key, isSet, why] of others) if (isSet) report('note', 'config-not-supported', key, why);
  return problems;
}

/** Whether `api.playground` has no other settings, such as `proxy`. */
function onlyDisplay(api: unknown): boolean {
  const { playground } = api as { playground?: unknown };
  return typeof playground === 'object' && playground !== null && Object.keys(playground).every((key) => key === 'display');
}

function usesDirectory(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // In a specification, `directory` is the folder of its pages.
  const { directory, openapi: _, asyncapi: _a, graphql: _g, sdk: _s, ...entries } = value as Record<string, unknown>;
  return (directory !== undefined && directory !== 'none') || Object.values(entries).some(usesDirectory);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reports pages whose frontmatter refers to part of a specification: their own text is shown, that part is not. */
export function unsupportedPages(pages: readonly PageFacts[]): Problem[] {
  return pages.flatMap(({ source: { file, frontmatter, described } }): Problem[] => {
    if (described) return [];
    const key = pageKeys.find((name) => frontmatter[name] !== undefined);
    if (key) {
      return [
        {
          kind: 'specification-page-missing',
          severity: 'warning',
          page: file,
          message: `${file} shows its own text, but not "${textOf(frontmatter[key])}": ${notInSpecifications}.`,
        },
      ];
    }
    if (frontmatter.api === undefined || writtenEndpoint(frontmatter)) return [];
    return [
      {
        kind: 'page-operation-invalid',
        severity: 'warning',
        page: file,
        message: `"api" in the frontmatter of ${file} is "${textOf(frontmatter.api)}", which is not a method and a URL, so the page shows no operation.`,
        hint: 'Write it as "GET /users" or "POST https://api.example.com/users".',
      },
    ];
  });
}

/** Reports scripts in the docs folder, which the hosted format runs on every page. */
export function unsupportedScripts(assets: readonly { path: string }[]): Problem[] {
  return assets
    .filter((asset) => asset.path.endsWith('.js'))
    .map(({ path }) => ({
      kind: 'script-not-run',
      severity: 'note',
      page: path,
      message: `${path} is copied, but no page runs it: nothing from a docs folder is executed.`,
    }));
}
