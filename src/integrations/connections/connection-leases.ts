import { msUntil } from '../../core/database/database-time.ts';
import { isListening } from './connection-health.ts';
import { leaseSql } from '../../core/database/lease.ts';
import type { Sql } from '../../core/database/sql.ts';
import type { ConnectionSession, PlatformKind } from '../platforms.ports.ts';

/** Time without an extension after which another worker may claim the connections, in milliseconds. */
export const leaseMs = 10_000;

const lease = leaseSql({ owner: 'holder', alias: 'c' });

/** Data that a worker needs to open a connection. */
export interface HeldConnection {
  id: string;
  platform: PlatformKind;
  place: string;
  /** Encrypted bot token. */
  botToken: string;
  session: ConnectionSession | null;
  /** Increases when the integration is enabled or disabled. */
  revision: number;
}

const wanted = `
  ${isListening('i')} and exists (select 1 from users u where u.id = i.owner_id and u.deletion_requested_at is null)`;

const extend = {
  name: 'connections_extend',
  text: `
    update integration_connections c set ${lease.extend(leaseMs)}
    from integrations i
    where ${lease.isOwnedBy('$1')} and c.integration_id = any ($2) and i.id = c.integration_id and ${wanted}
    returning c.integration_id as id, c.revision`,
};

/**
 * Extends the leases of `ids`. Returns the connections that this holder still holds and that are still wanted, with
 * their revisions.
 */
export async function extendLeases(sql: Sql, holder: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const kept = await sql<{ id: string; revision: number }>(extend, [holder, ids]);
  return new Map(kept.map(({ id, revision }) => [id, revision]));
}

const claim = {
  name: 'connections_claim',
  text: `
    with free as (
      select c.integration_id from integration_connections c join integrations i on i.id = c.integration_id
      where ${lease.isFree} and ${wanted}
      limit $2
      for update of c skip locked
    )
    update integration_connections c
    set ${lease.claim('$1', leaseMs)}
    from free, integrations i
    where c.integration_id = free.integration_id and i.id = c.integration_id
    returning i.id, i.platform, i.place, i.bot_token as "botToken", c.session, c.revision`,
};

/** Claims up to `limit` connections that are wanted and free. */
export const claimConnections = (sql: Sql, holder: string, limit: number): Promise<HeldConnection[]> =>
  sql<HeldConnection>(claim, [holder, limit]);

const nextFree = {
  name: 'connections_next_free',
  text: `
    select ${msUntil('min(c.lease_expires_at)')} as "inMs"
    from integration_connections c join integrations i on i.id = c.integration_id
    where c.holder is not null and ${wanted}`,
};

/**
 * Returns the milliseconds until the next lease of any worker expires unless it is extended; null when there is none.
 */
export const msUntilFree = async (sql: Sql): Promise<number | null> =>
  (await sql<{ inMs: number | null }>(nextFree))[0]?.inMs ?? null;

const release = {
  name: 'connections_release',
  text: `
    update integration_connections c set ${lease.release}
    where ${lease.isOwnedBy('$1')} and integration_id = any ($2)`,
};

/** Releases connections, so that another worker can open them immediately. */
export const releaseLeases = async (sql: Sql, holder: string, ids: readonly string[]): Promise<void> => {
  await sql(release, [holder, ids]);
};

const write = {
  name: 'connection_session_write',
  text: `update integration_connections c set session = $3 where integration_id = $2 and ${lease.isOwnedBy('$1')}`,
};
const read = {
  name: 'connection_session_read',
  text: `select session from integration_connections where integration_id = $1`,
};

/** Stores the session from which a connection can resume, if this holder still holds it. */
export const writeSession = async (
  sql: Sql,
  holder: string,
  id: string,
  session: ConnectionSession | null,
): Promise<void> => {
  await sql(write, [holder, id, session ? JSON.stringify(session) : null]);
};

/** Returns the session from which a connection can resume. */
export const readSession = async (sql: Sql, id: string): Promise<ConnectionSession | null> =>
  (await sql<{ session: ConnectionSession | null }>(read, [id]))[0]?.session ?? null;
