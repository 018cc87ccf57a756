import type { CarrelOptions } from '../../../integration/options.ts';

export interface AstroConfigInput {
  /** URL of the project's own configuration file. */
  project?: string;
  /** URL of `@carrel/astro`. */
  integration: string;
  /** URL of its module that writes messages to a descriptor. */
  messages: string;
  /** What the job decides; the project's own options apply besides. */
  options: CarrelOptions;
  site?: string;
  outDir: string;
  cacheDir: string;
}

/** The project's own Astro configuration, with the export that a job makes, which sends its messages to descriptor 3. */
export function astroConfig({ project, integration, messages, options, site, outDir, cacheDir }: AstroConfigInput): string {
  const text = JSON.stringify;
  return `${project === undefined ? 'const project = {};' : `import project from ${text(project)};`}
import carrel from ${text(integration)};
import { exportMessages } from ${text(messages)};

const integrations = [project.integrations ?? []].flat(Infinity).filter(Boolean);
const own = integrations.find(({ name }) => name === '@carrel/astro');

export default {
  ...project,
  ...${text({ outDir, cacheDir, site })},
  // The project's own export would be a second one; its options still apply.
  integrations: [...integrations.filter((one) => one !== own), carrel({ ...own?.given, ...${text(options)} }, exportMessages(3))],
};
`;
}
