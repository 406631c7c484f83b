import type { Sql } from '../core/sql.ts';
import type { ConnectionSession, PlatformKind } from './platforms.ports.ts';

/** A worker that has not been heard of for so long has lost its connections to whoever is first. */
export const leaseSeconds = 10;

/** What a worker needs to open a connection. */
export interface HeldConnection {
  id: string;
  platform: PlatformKind;
  place: string;
  /** Encrypted. */
  botToken: string;
  session: ConnectionSession | null;
  /** Grows when the integration is switched on or off. */
  revision: number;
}

const wanted = `
  i.status = 'active' and exists (select 1 from users u where u.id = i.owner_id and u.deletion_requested_at is null)`;

const renew = {
  name: 'connections_renew',
  text: `
    update integration_connections c set lease_expires_at = now() + interval '${leaseSeconds} seconds'
    from integrations i
    where c.holder = $1 and c.integration_id = any ($2) and i.id = c.integration_id and ${wanted}
    returning c.integration_id as id, c.revision`,
};

/** Those of `ids` that this holder still holds and that are still wanted, for some seconds more, and their revisions. */
export const renewLeases = async (sql: Sql, holder: string, ids: readonly string[]): Promise<Map<string, number>> =>
  new Map(
    (await sql<{ id: string; revision: number }>(renew, [holder, ids])).map(({ id, revision }) => [id, revision]),
  );

const claim = {
  name: 'connections_claim',
  text: `
    with free as (
      select c.integration_id from integration_connections c join integrations i on i.id = c.integration_id
      where (c.holder is null or c.lease_expires_at < now()) and ${wanted}
      limit $2
      for update of c skip locked
    )
    update integration_connections c
    set holder = $1, lease_expires_at = now() + interval '${leaseSeconds} seconds'
    from free, integrations i
    where c.integration_id = free.integration_id and i.id = c.integration_id
    returning i.id, i.platform, i.place, i.bot_token as "botToken", c.session, c.revision`,
};

/** Takes up to `limit` connections that are wanted and that nobody holds. */
export const claimConnections = (sql: Sql, holder: string, limit: number): Promise<HeldConnection[]> =>
  sql<HeldConnection>(claim, [holder, limit]);

const release = {
  name: 'connections_release',
  text: `
    update integration_connections set holder = null, lease_expires_at = null
    where holder = $1 and integration_id = any ($2)`,
};

/** Gives connections back, so that somebody else can open them at once. */
export const releaseLeases = async (sql: Sql, holder: string, ids: readonly string[]): Promise<void> => {
  await sql(release, [holder, ids]);
};

const write = {
  name: 'connection_session_write',
  text: `update integration_connections set session = $3 where integration_id = $2 and holder = $1`,
};
const read = {
  name: 'connection_session_read',
  text: `select session from integration_connections where integration_id = $1`,
};

/** Keeps where a connection can be resumed, if it is still held. */
export const writeSession = async (
  sql: Sql,
  holder: string,
  id: string,
  session: ConnectionSession | null,
): Promise<void> => {
  await sql(write, [holder, id, session ? JSON.stringify(session) : null]);
};

/** Where a connection can be resumed. */
export const readSession = async (sql: Sql, id: string): Promise<ConnectionSession | null> =>
  (await sql<{ session: ConnectionSession | null }>(read, [id]))[0]?.session ?? null;
