// The report of an export as a file, human-readable and machine-readable.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EgressError } from '../remote/request-report.ts';
import { guarded } from './write-error.ts';

/** The report of an export that failed because of its external requests. */
type FailedReport = Pick<EgressError, 'egress'> & { error: Pick<EgressError, 'code' | 'message' | 'hint'> };

/** Throws `ExportError` when the file cannot be written. */
export function writeReport(file: string, report: object): void {
  guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  });
}

/** The list of external requests is needed most when they made the export fail. */
export function failedReport({ code, message, hint, egress }: EgressError): FailedReport {
  return { error: { code, message, hint }, egress };
}
