/** After so long without a heartbeat an instance counts as dead, and what it writes is interrupted. */
const leaseSeconds = 10;
/** An instance that missed two heartbeats may be dead. */
const quietSeconds = 5;

const isWithin = (alias: string, seconds: number): string =>
  `${alias}.heartbeat_at > now() - interval '${seconds} seconds'`;

const existsWithin = (id: string, seconds: number): string =>
  `exists (select 1 from instances i where i.id = ${id} and ${isWithin('i', seconds)})`;

/** Condition: the lease of the instance under this alias holds. */
export const leaseHolds = (alias: string): string => isWithin(alias, leaseSeconds);

export const leaseExpired = (alias: string): string =>
  `${alias}.heartbeat_at <= now() - interval '${leaseSeconds} seconds'`;

/** Condition: the lease of the instance with this id holds. */
export const isOfLiveInstance = (id: string): string => existsWithin(id, leaseSeconds);

/** Condition: the instance with this id may be dead. */
export const isQuiet = (id: string): string => `not ${existsWithin(id, quietSeconds)}`;
