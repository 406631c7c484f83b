import type pg from 'pg';
import type { Ctx } from '../../src/core/ctx.ts';

/** What the checks work with. */
export interface CheckContext {
  /** A connection of its own. */
  db: pg.Client;
  url: string;
  /** A context of the system. */
  system: () => Ctx;
  /** A context of a user. */
  as: (userId: string) => Ctx;
  /** Rows of each part. */
  counts: Readonly<Record<string, number>>;
}
