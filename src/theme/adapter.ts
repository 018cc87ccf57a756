import type { AstroIntegration } from 'astro';

/** Turns the server build of the theme into a module that exports `app`; its `render` renders one page at a time. */
export function adapter(): AstroIntegration {
  return {
    name: 'carrel-theme',
    hooks: {
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'carrel-theme',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          supportedAstroFeatures: {
            serverOutput: 'stable',
            staticOutput: 'stable',
            hybridOutput: 'stable',
            sharpImageService: 'stable',
          },
        }),
    },
  };
}
