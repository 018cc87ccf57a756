import type { AstroIntegration, HookParameters } from 'astro';

export interface LastHooks {
  /** The final configuration, after all integrations and before the build. */
  onConfig(done: HookParameters<'astro:config:done'>): void;
  onRoutes(routes: HookParameters<'astro:routes:resolved'>): void;
  onBuilt(build: HookParameters<'astro:build:done'>): Promise<void>;
}

/**
 * An integration that runs only in builds and after all others, independent of its position in the list: at setup it appends another
 * one, which appends itself again if others were added after it. Only the last one runs.
 */
export function runLast(name: string, hooks: LastHooks): AstroIntegration {
  return {
    name,
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command === 'build') updateConfig({ integrations: [lastOf(name, hooks)] });
      },
    },
  };
}

function lastOf(name: string, hooks: LastHooks): AstroIntegration {
  let isLast = true;
  return {
    name,
    hooks: {
      'astro:config:setup': ({ config, updateConfig }) => {
        isLast = config.integrations.at(-1)?.name === name;
        if (!isLast) updateConfig({ integrations: [lastOf(name, hooks)] });
      },
      'astro:config:done': (done) => {
        if (isLast) hooks.onConfig(done);
      },
      'astro:routes:resolved': (routes) => {
        if (isLast) hooks.onRoutes(routes);
      },
      'astro:build:done': async (build) => {
        if (isLast) await hooks.onBuilt(build);
      },
    },
  };
}
