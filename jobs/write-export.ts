import { exportTask } from '../src/accounts/data-exports.ts';
import { failDataExport, writeDataExport } from '../src/accounts/write-export.ts';
import type { Job } from './job.ts';

/** Collects what the service has of an account. */
export const writeExports: Job<{ exportId: string }> = {
  kind: exportTask,
  concurrency: 1,
  handle: (ctx, { exportId }, run) => writeDataExport(ctx, exportId, run),
  failed: (ctx, { exportId }) => failDataExport(ctx, exportId),
};
