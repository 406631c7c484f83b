import { fromNow, type SqlDuration } from './database-time.ts';

/**
 * The SQL of a lease: a row that one owner at a time works on until it releases the row, or stops extending its claim.
 * An owner is named by a token that is new with each claim (`lease_token`, a fencing token), or by the process
 * (`lease_holder`) when that may take up its own rows again. Every write of an outcome checks `isOwnedBy`, so an owner
 * that was late writes nothing.
 */
export interface LeaseSql {
  /** Condition: the row has no owner, or its owner has stopped extending the lease. */
  isFree: string;
  /** Condition: the row belongs to `owner`, expired or not: until another has claimed it, nothing is lost. */
  isOwnedBy(owner: string): string;
  /** Assignments that give the row to `owner`. */
  claim(owner: string, ms: SqlDuration): string;
  /** Assignment that postpones the expiry. */
  extend(ms: SqlDuration): string;
  /** Assignments that leave the row without an owner. */
  release: string;
}

interface LeaseColumns {
  /** Column of the owner. */
  owner?: string;
  expiresAt?: string;
  /** Alias of the table in conditions. */
  alias?: string;
}

/** Columns are named only where a table is older than the vocabulary. */
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
