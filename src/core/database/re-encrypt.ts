import { decrypt, encrypt, sha256 } from '../crypto.ts';
import type { Ctx } from '../ctx.ts';
import type { SqlValue, Statement } from './sql.ts';
import type { TaskRun } from '../tasks/task-handler.ts';
import type { KeyRange, RangedTable } from '../tasks/key-ranges.ts';
import { inTransaction } from './transaction.ts';

/** A column that stores encrypted values. */
export interface EncryptedColumn extends RangedTable {
  column: string;
  /** Columns passed to `contextOf`, in this order. Defaults to the columns of the primary key. */
  contextColumns?: readonly string[];
  /** Returns the encryption context of a row. */
  contextOf(columns: readonly string[]): string;
  /** Field inside `column` that holds the value, when the column is jsonb. */
  field?: string;
}

export interface ReEncryptCounts {
  /** Values that are now encrypted with the newest key. */
  reEncrypted: number;
  /** Values that changed concurrently; the next run checks them again. */
  changed: number;
  /** Values that are damaged or encrypted with a key that is not configured. They are left unchanged. */
  unreadable: number;
}

interface Row {
  key: SqlValue[];
  context: string[];
  /** Null when the row has no value, or its value is encrypted with the newest key already. */
  value: string | null;
  /** Number of rows in the page of this row. */
  size: number;
}

const pageSize = 500;

/**
 * Re-encrypts the values in a range of rows that are encrypted with an older key. The progress is visible in the values
 * themselves, so a run can be killed at any point and repeated, in any number of processes. A value that changes
 * concurrently is left as its writer stored it.
 */
export async function reEncrypt(
  ctx: Ctx,
  column: EncryptedColumn,
  { after: start, through }: KeyRange,
  run: TaskRun,
): Promise<ReEncryptCounts> {
  const total: ReEncryptCounts = { reEncrypted: 0, changed: 0, unreadable: 0 };
  let after: SqlValue[] = start;
  for (let full = true; full;) {
    run.signal.throwIfAborted();
    const values = [newestPrefix(ctx), pageSize, ...after, ...(through ?? [])];
    const page = await ctx.sql<Row>(selectPage(column, through !== null), values);
    const last = page.at(-1);
    if (!last) break;
    const counts = await replace(ctx, column, page, [after, last.key]);
    for (const name of Object.keys(total) as (keyof ReEncryptCounts)[]) total[name] += counts[name];
    full = last.size === pageSize;
    after = last.key;
    await run.heartbeat();
  }
  return total;
}

async function replace(
  ctx: Ctx,
  column: EncryptedColumn,
  page: readonly Row[],
  [after, last]: [SqlValue[], SqlValue[]],
): Promise<ReEncryptCounts> {
  const { encryptionKeys } = ctx.config;
  const old: string[] = [];
  const renewed: string[] = [];
  let unreadable = 0;
  for (const { value, context } of page) {
    if (value === null) continue;
    const plaintext = tryDecrypt(ctx, value, column.contextOf(context));
    if (!plaintext) {
      unreadable++;
      continue;
    }
    old.push(value);
    renewed.push(encrypt(encryptionKeys, plaintext, column.contextOf(context)));
  }
  if (old.length === 0) return { reEncrypted: 0, changed: 0, unreadable };
  // Runs in a transaction only to be retried after a deadlock with sessions that lock the same rows in another order.
  const done = await inTransaction(ctx, (tx) => tx.sql(updateOld(column), [old, renewed, ...after, ...last]));
  return { reEncrypted: done.length, changed: old.length - done.length, unreadable };
}

function tryDecrypt(ctx: Ctx, value: string, context: string): Buffer | null {
  try {
    return decrypt(ctx.config.encryptionKeys, value, context);
  } catch {
    return null;
  }
}

/** A key id has eight characters; the ninth is a dot. */
const newestPrefix = ({ config }: Ctx): string => `${config.encryptionKeys[0]?.id ?? ''}.`;

const valueOf = ({ column, field }: EncryptedColumn): string =>
  field === undefined ? `t.${column}` : `t.${column} ->> '${field}'`;
const conditionOf = ({ where }: EncryptedColumn): string => (where === undefined ? '' : `and ${where}`);
const keyOf = ({ key }: EncryptedColumn): string[] => Object.keys(key).map((name) => `t.${name}`);
const parameters = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

// Reads page by page along the primary key rather than searching for the next old value, so that no statement takes
// long even if most values are new. left() reads only the beginning of a long value; a pattern match would read all of
// it.
function selectPage(column: EncryptedColumn, isBounded: boolean): Statement {
  const key = keyOf(column);
  const bound = isBounded ? `and (${key.join(', ')}) <= (${parameters(key.length, 3 + key.length)})` : '';
  const context = column.contextColumns?.map((name) => `t.${name}`) ?? key;
  return named(`
    select key, context, case when left(value, 9) <> $1 then value end as value, size from (
      select array[${key.join(', ')}] as key, array[${context.join(', ')}]::text[] as context, ${valueOf(column)} as value,
        count(*) over () as size, row_number() over (order by ${key.join(', ')}) as number
      from (
        select * from ${column.table} t where (${key.join(', ')}) > (${parameters(key.length, 3)}) ${bound} ${conditionOf(column)}
        order by ${key.join(', ')} limit $2) t) page
    where left(value, 9) <> $1 or number = size order by number`);
}

// Compare-and-set: no two ciphertexts are equal, so the old value identifies the row and proves that it is unchanged.
function updateOld(column: EncryptedColumn): Statement {
  const key = keyOf(column);
  const renewed =
    column.field === undefined ? 'n.value' : `jsonb_set(t.${column.column}, '{${column.field}}', to_jsonb(n.value))`;
  return named(`
    update ${column.table} t set ${column.column} = ${renewed} from unnest($1::text[], $2::text[]) as n (old, value)
    where ${valueOf(column)} = n.old and (${key.join(', ')}) > (${parameters(key.length, 3)})
      and (${key.join(', ')}) <= (${parameters(key.length, 3 + key.length)}) ${conditionOf(column)}
    returning 1`);
}

const named = (text: string): Statement => ({
  name: `re_encrypt_${sha256(text).toString('hex').slice(0, 20)}`,
  text,
});
