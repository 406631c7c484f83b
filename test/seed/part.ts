import type pg from 'pg';

/** One or more tables that `npm run seed` fills. Rows have fixed ids, so every run writes and finds the same ones. */
export interface SeedPart {
  name: string;
  /** What is counted: `public agents`. */
  what: string;
  /** The volume that the bounds are for. */
  volume: number;
  /** Rows that are written in one transaction. */
  batchSize: number;
  /** Writes what every batch needs. Can be repeated. */
  prepare(db: pg.ClientBase): Promise<void>;
  /** Writes the rows `from` to `through`, counted from 1. */
  write(db: pg.ClientBase, from: number, through: number): Promise<void>;
  /** Whether batches can be written concurrently, and written again without effect. */
  isIndependent?: boolean;
  /** Tables to vacuum and analyze after the fill. */
  tables: readonly string[];
  /** Indexes that are dropped for a large fill and built after it, which takes a fraction of the time. */
  lateIndexes?: readonly string[];
}

/** `prepare` of a part that needs no preparation. */
export const nothing = async (): Promise<void> => undefined;

/** The number of the group of `size` that row `n` is in. */
export const groupOf = (n: number, size: number): number => Math.ceil(n / size);

/** Number of texts in the temporary table `seed_texts`. */
export const textCount = 20_000;

/** SQL: a text for row `n`; `salt` tells columns apart. */
export const textOf = (n: string, salt: number): string =>
  `(select content from seed_texts t where t.number = 1 + (${n} * 7919 + ${salt} * 104729) % ${textCount})`;

/** SQL: the fixed UUIDv7 of row `n` of a kind. */
export const uuidOf = (kind: string, n: string): string => `seed.uuid('${kind}', ${n})`;

/** The account that owns the large objects: a webhook, documents, an agent with messages. */
export const ownerId = `usr_${uuidAt('owner')}`;
/** The owner's agent with many messages. */
export const busyAgentId = uuidAt('busy agent');
/** The owner's agent with many documents. */
export const readerAgentId = uuidAt('reader agent');
/** The owner's webhook with many deliveries. */
export const busyWebhookId = `wh_${uuidAt('busy webhook')}`;

function uuidAt(name: string): string {
  const hex = Buffer.from(name.padEnd(16, '.')).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Inserts users of row numbers `from` to `through` of a kind. */
export const addUsers = (db: pg.ClientBase, kind: string, from: number, through: number): Promise<unknown> =>
  db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     select 'usr_' || ${uuidOf(`${kind} user`, 'n')}, '${kind}-' || n || '@example.com', '${kind}-' || n, 'none', 'creator', now(), now()
     from generate_series($1::bigint, $2::bigint) n on conflict do nothing`,
    [from, through],
  );
