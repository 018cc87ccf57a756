import { z } from 'zod';

/** Format version of `carrel.json` this code writes. */
export const manifestFormat = 1;

export const deployments = ['cloud', 'client-hosted', 'air-gapped'] as const;
export type Deployment = (typeof deployments)[number];

/** `carrel.json`: what an export holds. `files` lists everything but `carrel.json` itself and `carrel.config.js`. */
export const manifestSchema = z.strictObject({
  format: z.literal(manifestFormat),
  /** Name of the site. */
  site: z.string(),
  /** Export version: the label, else the first 12 hex digits of the content hash. */
  version: z.string(),
  deployment: z.enum(deployments),
  /** Program and version that wrote it: `carrel/0.1.0`. */
  generator: z.string(),
  /** File to open first. */
  entry: z.string(),
  /** Language and docs version of a question that names none. Absent in older exports; the version also where the docs have none. */
  defaultLanguage: z.string().optional(),
  defaultDocsVersion: z.string().optional(),
  indexes: z.array(z.strictObject({ language: z.string(), docsVersion: z.string().optional(), folder: z.string() })),
  pages: z.array(
    z.strictObject({
      path: z.string(),
      file: z.string(),
      title: z.string(),
      language: z.string(),
      docsVersion: z.string().optional(),
    }),
  ),
  redirects: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  /** Only of a site that another theme than Carrel's made, which runs scripts of its own: the hosts that it may ask. */
  guest: z.strictObject({ allow: z.array(z.string().regex(/^[\w.*-]+(?::\d+)?$/)) }).optional(),
  /** By path in the export; size in bytes, sha256 in hex. */
  files: z.record(z.string(), z.strictObject({ sha256: z.string(), size: z.number().int().nonnegative() })),
});

export type Manifest = z.infer<typeof manifestSchema>;
