import { z } from 'zod';
import { deployments } from './bundle/manifest.ts';

export const optionsSchema = z.strictObject({
  /**
   * Folder of the export, relative to the project's root.
   * @default 'dist-offline'
   */
  out: z.string().min(1).default('dist-offline'),
  /** Archive to write of the same files, relative to the project's root. */
  zip: z.string().min(1).optional(),
  /**
   * Where the export will be used; decides what may be asked of other hosts.
   * @default 'client-hosted'
   */
  deployment: z.enum(deployments).default('client-hosted'),
  /**
   * Download images and videos of other hosts into the export.
   * @default false
   */
  vendor: z.boolean().default(false),
  /** Export version. By default the first 12 hex digits of the content hash. */
  label: z.string().min(1).optional(),
  /** Name of the site; by default the home page's `og:site_name`, else its title. */
  name: z.string().min(1).optional(),
  /**
   * Language of pages that name none in `<html lang>`.
   * @default 'en'
   */
  language: z.string().min(1).default('en'),
});

export type CarrelOptions = z.input<typeof optionsSchema>;
