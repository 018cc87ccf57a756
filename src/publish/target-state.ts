// What a target has besides the files of its manifest: what an interrupted run may have written, and what earlier exports left there.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { manifestFault, manifestSchema, type Manifest } from '../../integration/manifest.ts';
import { unsafe } from '../../integration/output/check-entries.ts';
import { shownName } from '../../integration/text/escape.ts';
import type { Target } from './target.ts';

export const stateFile = 'carrel.publish.json';

const paths = z.array(z.string().refine((path) => unsafe(path) === undefined, { error: 'must be a path inside the export' }));

const stateSchema = z.strictObject({
  format: z.literal(1),
  /** Files that a run began to write and that no manifest confirms. */
  uncertain: paths,
  /** Files of earlier exports that are not in the manifest. */
  leftover: paths,
  /** The groups of readers that the files of such runs are for. */
  audience: z.array(z.string()).optional(),
});

export type TargetState = Omit<z.infer<typeof stateSchema>, 'format'>;

export interface FoundTarget {
  manifest?: Manifest;
  /** SHA-256 of `carrel.json`, in hex. */
  manifestHash?: string;
  state: TargetState;
}

/** Reads what is published at a target. Throws `ExportError` `TargetNotExport` when its files are not of an export. */
export async function readTarget(target: Target): Promise<FoundTarget> {
  const [manifest, state] = await Promise.all([target.read('carrel.json'), target.read(stateFile)]);
  return {
    ...(manifest && { manifest: parsed(target, 'carrel.json', manifest, readManifest), manifestHash: hash('sha256', manifest) }),
    state: state ? parsed(target, stateFile, state, stateSchema) : { uncertain: [], leftover: [] },
  };
}

export function stateText(state: TargetState): Uint8Array {
  return Buffer.from(`${JSON.stringify({ format: 1, ...state })}\n`);
}

const readManifest = manifestSchema.refine(({ files }) => Object.keys(files).every((path) => unsafe(path) === undefined), {
  path: ['files'],
  error: 'must have paths inside the export',
});

function parsed<T>(target: Target, file: string, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const refused = (why: string) =>
    new ExportError(
      'TargetNotExport',
      `${file} at ${target.shown} ${why} Nothing was changed there.`,
      'Publish to another path, or remove that file if an export may take its place.',
    );
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refused(`is not JSON (${shownName(errorMessage(error))}).`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refused(manifestFault(result.error));
}
