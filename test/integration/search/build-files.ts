import type { SearchPage } from '../../../integration/search/analyze.ts';
import { createIndexBuilder } from '../../../integration/search/builder.ts';

/** The files of an index of these pages. */
export function buildFiles(pages: SearchPage[]): Map<string, string> {
  const builder = createIndexBuilder();
  for (const page of pages) builder.addPage(page);
  return builder.finish();
}
