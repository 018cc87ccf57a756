import { openDocs } from './open-docs.ts';
import { viewOf } from './render-pages.ts';
import type { PageView } from './site/view/page-view.ts';

/** The docs folder of `astro build` and `astro dev` at the root: `CARREL_DOCS`, or else the manual. */
export function docsFolderOf(environment: NodeJS.ProcessEnv): string {
  return environment.CARREL_DOCS ?? 'src/manual';
}

/** Every page of a docs folder for Astro's `getStaticPaths`, in navigation order. */
export async function staticPaths(): Promise<{ params: { path: string | undefined }; props: { page: PageView } }[]> {
  const docs = await openDocs(docsFolderOf(process.env));
  const paths = [];
  for (const page of docs.site.pages) {
    const { view } = await viewOf(docs, page);
    paths.push({ params: { path: page.path || undefined }, props: { page: view } });
  }
  return paths;
}
