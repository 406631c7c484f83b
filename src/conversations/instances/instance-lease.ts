/** Seconds without a heartbeat after which an instance counts as dead and its replies are interrupted. */
const leaseSeconds = 10;
/** Seconds without a heartbeat after which an instance may be dead; that is two missed heartbeats. */
const quietSeconds = 5;

const isWithin = (alias: string, seconds: number): string =>
  `${alias}.heartbeat_at > now() - interval '${seconds} seconds'`;

const existsWithin = (id: string, seconds: number): string =>
  `exists (select 1 from instances i where i.id = ${id} and ${isWithin('i', seconds)})`;

/** Returns the condition that the lease of the instance with this alias is valid. */
export const leaseHolds = (alias: string): string => isWithin(alias, leaseSeconds);

/** Returns the condition that the lease of the instance with this alias has expired. */
export const leaseExpired = (alias: string): string =>
  `${alias}.heartbeat_at <= now() - interval '${leaseSeconds} seconds'`;

/** Returns the condition that the lease of the instance with this id is valid. */
export const isOfLiveInstance = (id: string): string => existsWithin(id, leaseSeconds);

/** Returns the condition that the instance with this id may be dead. */
export const isQuiet = (id: string): string => `not ${existsWithin(id, quietSeconds)}`;
