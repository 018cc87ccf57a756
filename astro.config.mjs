import { defineConfig, passthroughImageService } from 'astro/config';

export default defineConfig({
  compressHTML: true,
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
});
