// A branch has a new commit: its preview is made, or exported again.
import type { PreviewSettings } from '../../sites/preview-settings.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { Job } from '../model/job.ts';
import type { Previews } from './previews.ts';
import { exportChange, lastCommit, type Change, type StartParts } from '../start-export.ts';

interface Branch extends Change {
  branch: string;
  settings: PreviewSettings;
  /** Whether a commit that the preview shows is exported again, for the comment on a pull request that is new. */
  isAgain?: true | undefined;
}

/** The job that exports it; or why there is none. Throws `ApiError` 429 `QueueFull`. */
export async function exportBranch(
  parts: StartParts & { previews: Pick<Previews, 'put'> },
  site: RegisteredSite,
  { branch, settings, isAgain, ...change }: Branch,
): Promise<{ job: Job } | { reason: 'previews-full' } | { reason: 'unchanged'; preview: string }> {
  const { organization } = site;
  const preview = await parts.previews.put(site, branch, settings);
  if (!preview) return { reason: 'previews-full' };
  const { domain, isNew } = preview;
  const shown = isNew ? undefined : await lastCommit(parts.jobs, { domain, organization });
  if (!isAgain && change.commit !== undefined && change.commit === shown) return { reason: 'unchanged', preview: domain };
  return { job: await exportChange(parts, { domain, organization }, change) };
}
