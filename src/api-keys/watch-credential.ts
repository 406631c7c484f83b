import type { UserActor } from '../core/actor.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

/** Interval at which one statement checks the credentials of all long responses of a process, in milliseconds. */
const checkMs = 2_000;

const findInvalid = {
  name: 'credentials_invalid',
  text: `
    select w.user_id as "userId", coalesce(w.session_id, w.api_key_id) as id
    from unnest($1::text[], $2::text[], $3::text[]) as w (user_id, session_id, api_key_id)
    where not exists (select from users u where u.id = w.user_id and u.deletion_requested_at is null)
      or not exists (
        select from sessions s where s.id = w.session_id and s.revoked_at is null and s.expires_at > $4
        union all
        select from api_keys k
        where k.id = w.api_key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4))`,
};

type OnLost = (error: AppError) => void;

interface Watched {
  actor: UserActor;
  onLost: Set<OnLost>;
}

interface Watch {
  credentials: Map<string, Watched>;
  isRunning: boolean;
}

const watches = new WeakMap<Ports, Watch>();

const keyOf = ({ userId, sessionId, apiKeyId }: UserActor): string => `${userId} ${sessionId ?? apiKeyId}`;

/**
 * Monitors the caller's credential while a long response is sent. Calls `onLost` once, with the error, within seconds
 * after the credential was revoked or expired. Returns a function that stops it.
 */
export function watchCredential({ actor, ports }: Ctx, onLost: OnLost): () => void {
  if (actor.kind !== 'user') return () => undefined;
  const watch = watches.get(ports) ?? { credentials: new Map<string, Watched>(), isRunning: false };
  watches.set(ports, watch);
  const key = keyOf(actor);
  const watched = watch.credentials.get(key) ?? { actor, onLost: new Set<OnLost>() };
  watch.credentials.set(key, watched);
  watched.onLost.add(onLost);
  if (!watch.isRunning) schedule(ports, watch);
  return () => {
    watched.onLost.delete(onLost);
    if (watched.onLost.size === 0 && watch.credentials.get(key) === watched) watch.credentials.delete(key);
  };
}

function schedule(ports: Ports, watch: Watch): void {
  watch.isRunning = watch.credentials.size > 0;
  if (!watch.isRunning) return;
  setTimeout(() => {
    const { log } = ports.background();
    check(ports, watch)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not check the credentials of long responses, will retry'),
      )
      .finally(() => schedule(ports, watch));
  }, checkMs).unref();
}

async function check(ports: Ports, { credentials }: Watch): Promise<void> {
  const { sql, clock } = ports.background();
  const actors = [...credentials.values()].map(({ actor }) => actor);
  if (actors.length === 0) return;
  const columns = [
    actors.map(({ userId }) => userId),
    actors.map(({ sessionId }) => sessionId),
    actors.map(({ apiKeyId }) => apiKeyId),
  ];
  const invalid = await sql<{ userId: string; id: string }>(findInvalid, [...columns, clock.now()]);
  for (const { userId, id } of invalid) {
    const lost = credentials.get(`${userId} ${id}`);
    credentials.delete(`${userId} ${id}`);
    for (const onLost of lost?.onLost ?? []) onLost(new AppError('unauthenticated'));
  }
}
