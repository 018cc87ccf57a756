// The report of an export as a file, which programs read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EgressError } from '../remote/request-report.ts';
import type { ExportReport } from '../export/export-site.ts';
import { guarded } from './write-error.ts';

/** What is reported of an export that would load from other hosts and must not. */
type FailedReport = Pick<EgressError, 'egress'> & { error: Pick<EgressError, 'code' | 'message' | 'hint'> };

/** Throws `ExportError` where the file cannot be written. */
export function writeReport(file: string, report: ExportReport | FailedReport): void {
  guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  });
}

/** The list of what an air-gapped export would load is needed most when there is no export. */
export function failedReport({ code, message, hint, egress }: EgressError): FailedReport {
  return { error: { code, message, hint }, egress };
}
