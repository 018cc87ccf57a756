import { defineConfig, passthroughImageService } from 'astro/config';
import carrel from './integration/index.ts';
import { docsFolder, docsFolderOf } from './src/export/docs-folder.ts';

// `npx astro build`: a docs folder (CARREL_DOCS, the manual by default) as an ordinary Astro site in dist/,
// and its export in dist-offline/.
export default defineConfig({
  compressHTML: true,
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
  integrations: [docsFolder(docsFolderOf(process.env)), carrel()],
});
