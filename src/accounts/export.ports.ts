import type { Ctx } from '../core/ctx.ts';
import type { Statement } from '../core/sql.ts';

/**
 * One JSON file of a data export. The statement answers the rows as they stand in the file, in snake_case, without
 * secrets: $1 is the user's id; the rows after ($2 `created_at`, $3 `id`) in that order, at most $4 of them.
 */
export interface ExportSection {
  /** `agents.json`. */
  path: string;
  statement: Statement;
}

/** An uploaded original. */
export interface ExportedFile {
  /** Made safe before it is a name in the archive. */
  name: string;
  /** In the file store. */
  key: string;
}

/** Where uploads come from. */
export type ExportFiles = (ctx: Ctx, userId: string) => AsyncIterable<ExportedFile>;

declare module '../core/ctx.ts' {
  interface Ports {
    /** What a data export consists of. Each feature has its own parts; app.ts lists them. */
    dataExport: { sections: readonly ExportSection[]; files: readonly ExportFiles[] };
  }
}
