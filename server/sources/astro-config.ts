import type { CarrelOptions } from '../../integration/options.ts';

export interface AstroConfigInput {
  /** Address of the project's own configuration file. */
  project?: string;
  /** Address of `@carrel/astro`. */
  integration: string;
  /** What the job decides; the project's own options hold beside it. */
  options: CarrelOptions;
  site?: string;
  outDir: string;
  cacheDir: string;
}

/** A configuration of Astro that is the project's, with the export that a job makes. */
export function astroConfig({ project, integration, options, site, outDir, cacheDir }: AstroConfigInput): string {
  const text = JSON.stringify;
  const forced = JSON.parse(text({ outDir, cacheDir, site })) as Record<string, unknown>;
  return `${project === undefined ? 'const project = {};' : `import project from ${text(project)};`}
import carrel from ${text(integration)};

const integrations = [project.integrations ?? []].flat(Infinity).filter(Boolean);
const own = integrations.find(({ name }) => name === '@carrel/astro');

export default {
  ...project,
  ...${text(forced)},
  // The project's own export would be a second one; its options are kept.
  integrations: [...integrations.filter((one) => one !== own), carrel({ ...own?.given, ...${text(options)} })],
};
`;
}
