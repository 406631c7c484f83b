import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './postgres-cluster.ts';

const namePrefix = 'agent-chat-service keeper';
const role = 'agent_chat';
const connectTimeoutMs = 5_000;
/** Creating a database takes a checkpoint, which is slow on a slow disk. */
const keeperQueryTimeoutMs = 60_000;

/**
 * A connection that a process keeps open while it uses the embedded server. When it ends, the server went down. The
 * number of other keepers shows whether other processes need the server; those of dead processes disappear by
 * themselves.
 */
export interface Keeper {
  client: pg.Client;
  name: string;
}

/**
 * Connects as the superuser, for whom connections are reserved. The connection does not keep the process alive.
 * @throws the driver's error
 */
export async function connectKeeper(
  cluster: Cluster,
  port: number,
  queryTimeoutMs = keeperQueryTimeoutMs,
): Promise<Keeper> {
  const name = `${namePrefix} ${randomUUID()}`;
  const socket = new Socket();
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.superuserPassword,
    database: 'postgres',
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    stream: () => socket,
  });
  // Ignored: the `end` event is what counts, and it follows every error.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.unref();
  return { client, name };
}

const closeTimeoutMs = 1_000;

/**
 * Closes a keeper, and waits until the server has: a process that stops at the same time must not count it as that of a
 * third one. Does not wait longer than a second for a server that does not respond.
 */
export async function closeKeeper({ client }: Keeper): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), sleep(closeTimeoutMs)]);
}

/** Returns how many processes use the server, without the process whose keepers are named `ownNames`. */
export async function countOthers({ client }: Keeper, ownNames: readonly string[]): Promise<number> {
  const text = `select count(*)::int as others from pg_stat_activity
    where starts_with(application_name, $1) and application_name <> all($2)`;
  const { rows } = await client.query<{ others: number }>(text, [namePrefix, ownNames]);
  return rows[0]?.others ?? 0;
}

/** Creates the service's role and database unless they exist. The role may create databases but is no superuser. */
export async function ensureServiceDatabase({ client }: Keeper, cluster: Cluster): Promise<void> {
  const exists = async (text: string) => (await client.query(text, [role])).rows.length > 0;
  if (!(await exists('select 1 from pg_roles where rolname = $1'))) {
    await client.query(`create role ${role} login createdb password ${pg.escapeLiteral(cluster.servicePassword)}`);
  }
  if (!(await exists('select 1 from pg_database where datname = $1')))
    await client.query(`create database ${role} owner ${role}`);
}

/** Returns the URL that the service connects to, with the role that owns its database. */
export const serviceUrl = (cluster: Cluster, port: number): string =>
  `postgres://${role}:${cluster.servicePassword}@127.0.0.1:${port}/${role}`;
