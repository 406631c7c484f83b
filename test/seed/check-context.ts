import pg from 'pg';
import { readConfig } from '../../src/app/config.ts';
import type { Config } from '../../src/core/config/config.ts';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import type { FileStore } from '../../src/core/files.ports.ts';
import { createHarness } from '../support/harness.ts';
import { countDone } from './fill.ts';
import { ownerId, type SeedPart } from './part.ts';

/** Connection, contexts and counts for the checks. */
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

/** Empty, because the checks only use the database. */
const noFiles = { list: async function* () {} } as unknown as FileStore;

const user = {
  kind: 'user',
  userId: ownerId,
  plan: 'creator',
  scopes: ['account:write'],
  sessionId: null,
  apiKeyId: null,
  ip: null,
} as const;

interface Replacements {
  config?: Partial<Config>;
  ports?: Partial<Ports>;
}

/** Runs `work` on the operations of the service over a seeded database. */
export async function withCheckContext<Result>(
  url: string,
  parts: readonly SeedPart[],
  work: (context: CheckContext) => Promise<Result>,
  { config = {}, ports = {} }: Replacements = {},
): Promise<Result> {
  const harness = await createHarness({
    url,
    config: { ...readConfig({ PROFILE: 'embedded', DATABASE_URL: url }), ...config },
    ports: { files: noFiles, ...ports },
  });
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query('set statement_timeout = 0');
    const counts: Record<string, number> = {};
    for (const part of parts) counts[part.name] = await countDone(db, part);
    const as = (userId: string): Ctx => ({ ...harness.newCtx(), actor: { ...user, userId } });
    return await work({ db, url, counts, system: harness.newCtx, as });
  } finally {
    await db.end();
    await harness.close();
  }
}
