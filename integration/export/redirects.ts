// Old paths are answered by pages that redirect, since no host needs to be told about them.
import { createProblem, type Problem } from '../diagnostics.ts';
import { redirectStub } from '../html/redirect-stub.ts';
import { encodePath } from '../urls/relative-url.ts';
import type { ExportInput } from './export-input.ts';
import type { FileWriter } from './site-files.ts';
import type { SiteUrls } from './site-urls.ts';

/** A page for each redirect whose path is free; returns a warning for each redirect that is broken. */
export function writeRedirects(
  { redirects, rules, defaultLanguage }: ExportInput,
  { names, resolver }: SiteUrls,
  folder: FileWriter,
): Problem[] {
  const problems: Problem[] = [];
  for (const { from, to } of [...redirects].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const path = from.replace(/^\/+|\/+$/g, '');
    const target = resolver.resolve(rules.urls.base + path.split('/').map(encodeURIComponent).join('/'), '');
    if (target.kind === 'limited') continue;
    if (target.kind === 'missing') {
      problems.push(
        createProblem({
          kind: 'redirect-without-target',
          message: `The redirect from "${from}" to "${to}" is broken: the site does not have the destination.`,
          hint: 'Correct its destination.',
        }),
      );
      continue;
    }
    const file = names.claim(/\.html?$/i.test(path) ? path : `${path}/index.html`);
    if (file !== undefined && path !== '') folder.write(file, redirectStub(encodePath(file), target, defaultLanguage));
  }
  return problems;
}
