import { z } from 'zod';
import { shownName } from './text/escape.ts';
import { isRecord } from './text/json.ts';

/** Format version of `carrel.json` this code writes. */
export const manifestFormat = 1;

export const deployments = ['cloud', 'client-hosted', 'air-gapped'] as const;
export type Deployment = (typeof deployments)[number];

/** The settings of the deployment, which hosts change. */
export const settingsFile = 'carrel.config.js';

/** The script with which pages of our theme know their version. */
export const versionFile = 'carrel.version.js';
/** The signature of `carrel.json`. */
export const signatureFile = 'carrel.json.minisig';
/** What it was made from, signed, too. */
export const provenanceFile = 'carrel-provenance.json';

/** What a signed export contains of others, in the format CycloneDX: a file like any other. */
export const billFile = 'carrel-sbom.cdx.json';

/** Files of an export that `files` does not list, the manifest first. */
export const unlisted: ReadonlySet<string> = new Set(['carrel.json', settingsFile, signatureFile, provenanceFile]);

const color = z.string().regex(/^#(?:[0-9a-f]{3}){1,2}$/i);

/** `carrel.json`: what an export contains. */
export const manifestSchema = z.strictObject({
  format: z.literal(manifestFormat),
  /** Name of the site. */
  site: z.string(),
  /** Colors of our theme on light and on dark pages. What is not a color is ignored. */
  accent: z.strictObject({ light: color, dark: color }).optional().catch(undefined),
  /** Export version: the label, else the first 12 hex digits of the content hash. */
  version: z.string(),
  deployment: z.enum(deployments),
  /** The groups of the readers whom the export is for, sorted; absent of an export for everybody. */
  audience: z.array(z.string()).optional(),
  /** Program and version that wrote it: `carrel/0.1.0`. */
  generator: z.string(),
  /** File to open first. */
  entry: z.string(),
  /** Language and docs version of a question that names none. Absent in older exports; the version also where the docs have none. */
  defaultLanguage: z.string().optional(),
  defaultDocsVersion: z.string().optional(),
  indexes: z.array(z.strictObject({ language: z.string(), docsVersion: z.string().optional(), folder: z.string() })),
  /** Vectors of all sections: `<name>.bin` in `folder` for the index in `…/<name>`, one of `dimension` signed bytes for each section. */
  vectors: z.strictObject({ model: z.string(), dimension: z.int().min(1), folder: z.string() }).optional(),
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
  /** Only of a collection: its sites, each an unchanged export in the folder `path`. */
  sites: z
    .array(
      z.strictObject({
        path: z.string(),
        title: z.string(),
        version: z.string(),
        generator: z.string(),
        audience: z.array(z.string()).optional(),
        /** The key that had signed it, and whether that was checked when the collection was made. */
        signature: z.strictObject({ keyId: z.string(), isChecked: z.boolean() }).optional(),
      }),
    )
    .optional(),
  /** Only for an existing site, which runs its own scripts: the hosts that they are allowed to connect to. */
  guest: z.strictObject({ allow: z.array(z.string().regex(/^[\w.*-]+(?::\d+)?$/)) }).optional(),
  /** `carrel.config.js` as it was exported. Absent in older exports. */
  settings: z.strictObject({ sha256: z.string(), size: z.int() }).optional(),
  /** The hosts that pages load files from, with a page that does and the number of such pages. Absent in older exports. */
  requests: z.array(z.strictObject({ host: z.string(), page: z.string(), pages: z.int() })).optional(),
  /** By path in the export; size in bytes, sha256 in hex. */
  files: z.custom<Record<string, ListedFile>>(isRecord).check(({ value, issues }) => {
    const wrong = Object.keys(value).find((path) => !isListed(value[path]));
    if (wrong !== undefined)
      issues.push({ code: 'custom', path: [wrong], message: 'must be { sha256, size }', input: value[wrong] });
  }),
});

export interface ListedFile {
  sha256: string;
  size: number;
}

// Checked in place: a record schema would copy the list, which is most of the memory for a large site.
function isListed(value: unknown): value is ListedFile {
  if (!isRecord(value)) return false;
  const { sha256, size } = value as Partial<ListedFile>;
  return typeof sha256 === 'string' && Number.isSafeInteger(size) && size! >= 0 && Object.keys(value).length === 2;
}

/** Why `manifestSchema` refuses a manifest, as a message ends: `cannot be read by this version of Carrel (at `files`: …).` */
export function manifestFault({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.');
  return `cannot be read by this version of Carrel (${path ? `at \`${shownName(path)}\`` : 'at the top level'}: ${issue?.message}).`;
}

export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Lists the servers of the site's API specifications, by their origins: `{ "servers": ["https://api.example.com"] }`. `tokens` lists those
 * that give tokens, if there are any.
 */
export const playgroundFile = '_carrel/playground.json';

/** The author's instructions to the model that answers questions about the site, for the server alone. */
export const instructionsFile = '_carrel/assistant.md';
