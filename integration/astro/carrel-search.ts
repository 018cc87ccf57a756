import { fileURLToPath } from 'node:url';

/** The part of Starlight's hook that the plugin needs; Starlight's own types are in a package of the project. */
interface SetupContext {
  config: { components?: Record<string, string | undefined> };
  updateConfig(config: { pagefind: false; components: Record<string, string> }): void;
  astroConfig: { integrations: { name: string }[] };
  logger: { warn(message: string): void };
}

export interface StarlightPlugin {
  name: string;
  hooks: { 'config:setup'(context: SetupContext): void };
}

/**
 * Starlight plugin: replaces Starlight's own search by Carrel's and turns Pagefind off. The button works in the export, which `carrel()` writes;
 * the site's own output has no search then. A `Search` component that the site overrides itself stays.
 */
export default function carrelSearch(): StarlightPlugin {
  return {
    name: '@carrel/astro/starlight',
    hooks: {
      'config:setup'({ config, updateConfig, astroConfig, logger }) {
        if (!astroConfig.integrations.some(({ name }) => name === '@carrel/astro'))
          logger.warn('carrelSearch() has no index to search: add carrel() from "@carrel/astro" to the integrations of Astro.');
        const own = config.components?.['Search'];
        if (own !== undefined)
          logger.warn(`The site's own Search component "${own}" stays. Give its button the attribute data-carrel-search.`);
        updateConfig({ pagefind: false, components: { Search: button, ...definedIn(config.components) } });
      },
    },
  };
}

// By its path: Starlight's location does not always resolve a package of the project by name.
const button = fileURLToPath(new URL('./components/StarlightSearch.astro', import.meta.url)).replaceAll('\\', '/');

function definedIn(components: Record<string, string | undefined> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(components).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
