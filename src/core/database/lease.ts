import { fromNow, type SqlDuration } from './database-time.ts';

/**
 * SQL of a lease: one owner at a time works on a row, until it releases the row or stops extending its lease. A token
 * identifies the owner: one that is new with each claim (`lease_token`, a fencing token), or the process
 * (`lease_holder`) if it may claim its own rows again. Every write of an outcome checks `isOwnedBy`, so an owner that
 * is too late writes nothing.
 */
export interface LeaseSql {
  /** Condition: the row has no owner, or its lease has expired. */
  isFree: string;
  /**
   * Condition: the row belongs to `owner`, even if the lease has expired. Until another owner claims it, nothing is
   * lost.
   */
  isOwnedBy(owner: string): string;
  /** Assignments that claim the row for `owner`. */
  claim(owner: string, ms: SqlDuration): string;
  /** Assignment that extends the lease. */
  extend(ms: SqlDuration): string;
  /** Assignments that release the row. */
  release: string;
}

interface LeaseColumns {
  /** Column that identifies the owner. */
  owner?: string;
  expiresAt?: string;
  /** Alias of the table, used in conditions. */
  alias?: string;
}

/** Returns the SQL for a lease. Pass column names only for tables that are older than the default names. */
export function leaseSql({
  owner = 'lease_token',
  expiresAt = 'lease_expires_at',
  alias,
}: LeaseColumns = {}): LeaseSql {
  const of = (column: string): string => (alias === undefined ? column : `${alias}.${column}`);
  return {
    isFree: `(${of(owner)} is null or ${of(expiresAt)} <= now())`,
    isOwnedBy: (value) => `${of(owner)} = ${value}`,
    claim: (value, ms) => `${owner} = ${value}, ${expiresAt} = ${fromNow(ms)}`,
    extend: (ms) => `${expiresAt} = ${fromNow(ms)}`,
    release: `${owner} = null, ${expiresAt} = null`,
  };
}
