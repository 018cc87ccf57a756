// The issues that the active export of a site has, by page.
import type { JobObject } from '../../jobs/model/job-object.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { muted } from './element.ts';
import { time } from './format.ts';
import { emptyState, section } from './parts.ts';
import { problemsBadge, readProblems } from './problems.ts';
import type { Session } from './session.ts';

export async function warningsTab({ client }: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const { activeJob } = await client.call<SiteAnswer>('GET', `/v1/sites/${encodeURIComponent(domain)}`, { signal });
  if (activeJob === null) {
    body.replaceChildren(
      emptyState(
        'No completed export yet',
        'After an export, the issues in the docs are listed here by page, with file and line.',
      ),
    );
    return;
  }
  const path = `/v1/static-export/jobs/${activeJob}`;
  const job = await client.call<JobObject>('GET', path, { signal });
  const found = job.problems ? job.problems.errors + job.problems.warnings + job.problems.notes : undefined;
  body.replaceChildren(
    section(
      'warnings',
      'Warnings',
      problemsBadge(job) || undefined,
      muted('Of the export that is served, ', job.finishedAt === null ? '' : time(job.finishedAt), '.'),
      found === 0
        ? emptyState('No issues found', 'All links, images, components and settings of the docs are fine.')
        : job.expiredAt === null
          ? await readProblems(client, path, signal)
          : emptyState('The report was deleted', 'Start another export to get a new one.'),
    ),
  );
}
