import type { CarrelOptions } from '../../integration/options.ts';

export interface AstroConfigInput {
  /** Address of the project's own configuration file. */
  project?: string;
  /** Address of `@carrel/astro`. */
  integration: string;
  /** What the job decides; the project's own options hold beside it. */
  options: CarrelOptions;
  /** File for the report of the export. */
  report: string;
  site?: string;
  outDir: string;
  cacheDir: string;
}

/** A configuration of Astro that is the project's, with the export that a job makes, which tells its progress on descriptor 3. */
export function astroConfig({ project, integration, options, report, site, outDir, cacheDir }: AstroConfigInput): string {
  const text = JSON.stringify;
  const forced = JSON.parse(text({ outDir, cacheDir, site })) as Record<string, unknown>;
  return `import { writeFileSync, writeSync } from 'node:fs';
${project === undefined ? 'const project = {};' : `import project from ${text(project)};`}
import carrel from ${text(integration)};

const listeners = {
  onProgress(progress) {
    // A full pipe costs this line only.
    try { writeSync(3, JSON.stringify(progress) + '\\n'); } catch {}
  },
  onReport: (report) => writeFileSync(${text(report)}, JSON.stringify(report)),
};
const integrations = [project.integrations ?? []].flat(Infinity).filter(Boolean);
const own = integrations.find(({ name }) => name === '@carrel/astro');

export default {
  ...project,
  ...${text(forced)},
  // The project's own export would be a second one; its options are kept.
  integrations: [...integrations.filter((one) => one !== own), carrel({ ...own?.given, ...${text(options)} }, listeners)],
};
`;
}
