import type { Problem } from '../../../integration/diagnostics.ts';
import { operationEntry, specificationNames, type Operation } from '../../source/specifications.ts';
import { isExternal, normalPath } from '../find-page.ts';

// Pages that a docs.json site makes from API specifications. They are not made yet: each is reported as missing.

/** A page that the navigation calls for. */
export interface GeneratedPage {
  /** As the navigation writes it, or the operation of a specification that it uses whole. */
  entry: string;
  at: string;
  language?: string;
  docsVersion?: string;
  /** Path it would have, where its specification was read. */
  path?: string;
}

/** The `openapi` that applies to an entry of the navigation: its own, or that of an entry around it. */
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
  const [method, ...path] = name.split(/\s+/);
  const wanted = `${method!.toLowerCase() === 'webhook' ? 'webhook' : method!.toUpperCase()} ${path.join(' ')}`;
  const sources = source ? specificationNames(source) : (choice?.sources ?? []);
  // Without a name every specification of the folder is searched.
  for (const file of sources.length ? sources : specifications.keys()) {
    const operation = specifications.get(file)?.find((one) => one.name === wanted);
    if (operation) return { entry: entry.trim(), path: pathOf(operation, choice?.directory ?? 'api-reference') };
  }
  return { entry: entry.trim() };
}

/** All pages of the specifications that an entry stands for; where one cannot be read, what stands for its pages. */
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

const shown = 20;

/** One warning for each place of the navigation. The report holds the whole list. */
export function generatedPageProblems(pages: readonly GeneratedPage[], configFile: string): Problem[] {
  const places = new Map<string, string[]>();
  for (const { entry, at } of pages) places.set(at, [...(places.get(at) ?? []), entry]);
  return [...places].map(([at, entries]): Problem => {
    const names = entries.slice(0, shown).map((entry) => (entry.startsWith('"') ? entry : `"${entry}"`));
    const more = entries.length > shown ? ` and ${entries.length - shown} more` : '';
    return {
      kind: 'openapi-page-not-supported',
      severity: 'warning',
      page: configFile,
      message: `Pages made from API specifications are not supported yet. Missing in ${at}: ${names.join(', ')}${more}.`,
      hint: 'Link to the specification or describe the operation on a page of its own. The report names them all under "navigation.missing".',
    };
  });
}
