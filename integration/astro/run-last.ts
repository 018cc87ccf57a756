import type { AstroIntegration, HookParameters } from 'astro';

export interface LastHooks {
  /** The configuration as all integrations leave it, before anything is built. */
  onConfig(done: HookParameters<'astro:config:done'>): void;
  onRoutes(routes: HookParameters<'astro:routes:resolved'>): void;
  onBuilt(build: HookParameters<'astro:build:done'>): Promise<void>;
}

/**
 * An integration that acts in builds only, and after all others, wherever it is in the list: at setup it puts another at the list's
 * end, and that one does it again when others came behind it meanwhile. Only the last of them acts.
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
