import type { Problem } from '../../../integration/diagnostics.ts';
import { type Operation, operationEntry, specificationNames } from '../../source/specifications.ts';
import { isExternal, normalPath } from '../page-paths.ts';
import type { FoundContext } from './walk-navigation.ts';

// Pages that docs.json generates from API specifications. Carrel does not generate them yet and reports each as missing.

/** A page that the navigation refers to. */
export interface GeneratedPage {
  /** As in the navigation, or the operation of a specification that the navigation includes as a whole. */
  entry: string;
  at: string;
  language?: string;
  docsVersion?: string;
  /** Its path, if the specification could be read. */
  path?: string;
}

/** The `openapi` that applies to a navigation entry: its own or an inherited one. */
export interface SpecificationChoice {
  sources: string[];
  directory: string;
}

type Specifications = ReadonlyMap<string, readonly Operation[]>;
type FoundPage = Pick<GeneratedPage, 'entry' | 'path'>;

export function specificationChoice(openapi: unknown): SpecificationChoice {
  const directory = typeof openapi === 'object' && openapi !== null && 'directory' in openapi ? String(openapi.directory) : '';
  return { sources: specificationNames(openapi), directory: normalPath(directory) || 'api-reference' };
}

/** The page of an entry such as `GET /users` or `spec.json GET /users`; undefined for every other entry. */
export function operationPage(
  entry: string,
  choice: SpecificationChoice | undefined,
  specifications: Specifications,
): FoundPage | undefined {
  const [, source, name] = operationEntry.exec(entry.trim()) ?? [];
  if (name === undefined) return undefined;
  const [method = '', ...path] = name.split(/\s+/);
  const wanted = `${method.toLowerCase() === 'webhook' ? 'webhook' : method.toUpperCase()} ${path.join(' ')}`;
  const sources = source ? specificationNames(source) : (choice?.sources ?? []);
  // Without a file name, all specifications of the folder are searched.
  for (const file of sources.length ? sources : specifications.keys()) {
    const operation = specifications.get(file)?.find((one) => one.name === wanted);
    if (operation) return { entry: entry.trim(), path: pathOf(operation, choice?.directory ?? 'api-reference') };
  }
  return { entry: entry.trim() };
}

/** All pages of the specifications of an entry; for an unreadable specification, one placeholder entry. */
export function specificationPages(choice: SpecificationChoice, specifications: Specifications): FoundPage[] {
  return choice.sources.flatMap((source) => {
    const operations = specifications.get(source);
    if (!operations) return [{ entry: `"openapi": ${JSON.stringify(source)}` }];
    return operations
      .filter(({ hidden }) => !hidden)
      .map((operation) => ({ entry: operation.name, path: pathOf(operation, choice.directory) }));
  });
}

function pathOf({ href, tag, title }: Operation, directory: string): string | undefined {
  if (href !== undefined) return isExternal(href) ? undefined : normalPath(href);
  return [directory, ...(tag ? [slug(tag)] : []), slug(title)].join('/');
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

const shownPages = 20;

/** One warning for each part of the navigation. The report has the full list. */
export function generatedPageProblems(pages: readonly GeneratedPage[], configFile: string): Problem[] {
  const contexts = new Map<string, string[]>();
  for (const { entry, at } of pages) contexts.set(at, [...(contexts.get(at) ?? []), entry]);
  return [...contexts].map(([at, entries]): Problem => {
    const names = entries.slice(0, shownPages).map((entry) => (entry.startsWith('"') ? entry : `"${entry}"`));
    const more = entries.length > shownPages ? ` and ${entries.length - shownPages} more` : '';
    return {
      kind: 'openapi-page-not-supported',
      severity: 'warning',
      page: configFile,
      message: `Pages generated from API specifications are not supported yet. Missing in ${at}: ${names.join(', ')}${more}.`,
      hint: 'Link to the specification or describe the operation on a page of its own. The report lists all of them under "navigation.missing".',
    };
  });
}

const shownEntries = 3;

/** One warning for each context whose navigation contains missing pages. The report has the full list. */
export function missingEntries(missing: readonly { entry: string; context: FoundContext }[], configFile: string): Problem[] {
  const contexts = new Map<FoundContext, string[]>();
  for (const { entry, context } of missing) contexts.set(context, [...(contexts.get(context) ?? []), entry]);
  return [...contexts].map(([context, entries]): Problem => {
    const names = entries.slice(0, shownEntries).map((entry) => `"${entry}"`);
    const more = entries.length > shownEntries ? ` and ${entries.length - shownEntries} more` : '';
    const what = entries.length === 1 ? 'a page that does not exist' : `${entries.length} pages that do not exist`;
    return {
      kind: 'navigation-entry-without-file',
      severity: 'warning',
      page: configFile,
      message: `${context.key === 'site' ? 'The navigation' : `The navigation of ${context.key}`} contains ${what}: ${names.join(', ')}${more}.`,
      hint: `Add the pages or remove their entries from ${configFile}. The report lists all of them under "navigation.missing".`,
    };
  });
}
