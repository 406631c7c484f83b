import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';

/** Creates the pool of a floor, with as many connections as the service. */
export function createPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
  pool.on('error', () => undefined);
  return pool;
}

export interface Caller {
  id: string;
  userId: string;
  plan: string;
}

const findKey = {
  name: 'api_key_find',
  text: `
    select k.id, k.user_id as "userId", k.scopes, u.plan, (k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '60 seconds') as stale
    from api_keys k join users u on u.id = k.user_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2) and u.deletion_requested_at is null`,
};
const countRequest = {
  name: 'count_request',
  text: `
    insert into rate_limits values ($1, $2, $3)
    on conflict (key) do update set
      points = case when rate_limits.expire <= $4 then $2 else rate_limits.points + ($2) end,
      expire = case when rate_limits.expire <= $4 then $3 else rate_limits.expire end
    returning points, expire`,
};

/** Authenticates and counts the request: the two statements of every request of the service. */
export async function admit(pool: pg.Pool, request: IncomingMessage): Promise<Caller> {
  const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(key).digest();
  const [caller] = (await pool.query<Caller>({ ...findKey, values: [hash, new Date()] })).rows;
  if (!caller) throw new Error('unknown key');
  const now = Date.now();
  await pool.query({ ...countRequest, values: [`floor:${caller.id}`, 1, now + 60_000, now] });
  return caller;
}

/** Parses the JSON body of a request. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}
