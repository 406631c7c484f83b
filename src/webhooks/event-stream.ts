import { setTimeout as sleep } from 'node:timers/promises';
import { callerId } from '../accounts/caller.ts';
import { requireHeldCredential } from '../api-keys/held-credential.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { accountEventsKind } from '../core/outbox.ts';
import type { WebhookEventType } from './event-catalog.ts';

/** An event as webhooks get it. */
export interface AccountEvent {
  id: string;
  type: WebhookEventType;
  createdAt: Date;
  /** As on the wire, in snake_case. */
  data: Record<string, unknown>;
}

interface Row extends AccountEvent {
  seq: number;
  wanted: boolean;
}

// Sequence numbers are given before the commit: for longer than any transaction lasts, what lies behind is read again.
const overlapSeconds = 30;
const pageSize = 500;
/** A stream is woken by the commit of an event. It looks at its credential, and for what nobody told it of, so often. */
const lookMs = 2_000;
/** Events of a burst are read together. */
const gapMs = 25;
/** Streams of one account that an instance serves at once: each reads what is new by itself. */
const maxPerAccount = 25;

// What is not wanted is passed all the same: else a stream of a rare type would look at all the others again each time.
const select = {
  name: 'events_after',
  text: `
    select seq, id, type, created_at as "createdAt", wanted, case when wanted then data end as data
    from outbox_events, lateral (select only_webhook_id is null and ($4::text[] is null or type = any ($4)) as wanted) w
    where account_id = $1 and seq > $2 and not (seq = any ($3))
    order by seq limit ${pageSize}`,
};

const selectNewest = {
  name: 'events_newest',
  text: `
    select coalesce(max(seq) filter (where created_at < $2), min(seq) - 1, 0) as settled,
      coalesce(array_agg(seq::float8) filter (where created_at >= $2), '{}') as recent
    from (select seq, created_at from outbox_events where account_id = $1 order by seq desc limit 1000) newest`,
};

const selectSeq = { name: 'event_seq', text: `select seq from outbox_events where account_id = $1 and id = $2` };

interface FollowOptions {
  /** Only these types; all when null. */
  types: readonly WebhookEventType[] | null;
  /** Begin after this event instead of now. */
  after: string | null;
  /** Aborted when the reader is gone. A generator that has nothing to yield learns of it in no other way. */
  left: AbortSignal;
}

/**
 * The caller's events as they are committed, on whatever instance, each once; the order is best effort. Ends when its
 * reader has left, and within seconds of the end of its credential. @throws AppError `invalid_request` for an unknown
 * `after`, `rate_limited` when the account has 25 streams open, `unauthenticated`
 */
export async function* followEvents(ctx: Ctx, options: FollowOptions): AsyncGenerator<AccountEvent> {
  const accountId = callerId(ctx);
  const leave = enter(ctx, accountId);
  try {
    yield* follow(ctx, accountId, options);
  } finally {
    leave();
  }
}

const openStreams = new WeakMap<Ports, Map<string, number>>();

/** Takes one of the account's places; answers what gives it back. */
function enter(ctx: Ctx, accountId: string): () => void {
  const counts = openStreams.get(ctx.ports) ?? new Map<string, number>();
  openStreams.set(ctx.ports, counts);
  const open = counts.get(accountId) ?? 0;
  if (open >= maxPerAccount) {
    const message = `An account can follow its events ${maxPerAccount} times at once.`;
    throw new AppError('rate_limited', { message, retryAfterSeconds: 5 });
  }
  counts.set(accountId, open + 1);
  return () => {
    const left = (counts.get(accountId) ?? 1) - 1;
    if (left > 0) counts.set(accountId, left);
    else counts.delete(accountId);
  };
}

async function* follow(
  ctx: Ctx,
  accountId: string,
  { types, after, left }: FollowOptions,
): AsyncGenerator<AccountEvent> {
  const news = listenForNews(ctx, accountId, left);
  try {
    let { settled, seen } = await startingPoint(ctx, accountId, after);
    for (let checkedAt = -lookMs; !left.aborted;) {
      if (performance.now() - checkedAt >= lookMs) {
        await requireHeldCredential(ctx);
        checkedAt = performance.now();
      }
      news.forget();
      const rows = await ctx.sql<Row>(select, [accountId, settled, [...seen.keys()], types]);
      for (const { seq, wanted, ...event } of rows) {
        if (wanted) yield event;
        seen.set(seq, event.createdAt.getTime());
      }
      ({ settled, seen } = settle(settled, seen, ctx.clock.now()));
      if (rows.length < pageSize) await news.wait();
    }
  } finally {
    news.stop();
  }
}

/** Waits for the next event of an account, `lookMs` at most, or until the reader has left. */
function listenForNews(ctx: Ctx, accountId: string, left: AbortSignal) {
  let came = new AbortController();
  const stop = ctx.ports.wakes.onWake(accountEventsKind(accountId), () => came.abort());
  return {
    stop,
    /** What came until now is going to be read. */
    forget: () => {
      if (came.signal.aborted) came = new AbortController();
    },
    wait: async () => {
      await sleep(gapMs, undefined, { signal: left }).catch(() => undefined);
      const signal = AbortSignal.any([left, came.signal]);
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    },
  };
}

interface Position {
  /** Everything up to here was given. */
  settled: number;
  /** What was given beyond, with its time. */
  seen: Map<number, number>;
}

async function startingPoint(ctx: Ctx, accountId: string, after: string | null): Promise<Position> {
  if (after !== null) {
    const [found] = isId('event', after) ? await ctx.sql<{ seq: number }>(selectSeq, [accountId, after]) : [];
    if (!found) throw invalidField('after', 'unknown_event', 'must be the id of one of your events');
    return { settled: found.seq, seen: new Map() };
  }
  const before = new Date(ctx.clock.now().getTime() - overlapSeconds * 1_000);
  const [newest] = await ctx.sql<{ settled: number; recent: number[] }>(selectNewest, [accountId, before]);
  const now = ctx.clock.now().getTime();
  return { settled: newest?.settled ?? 0, seen: new Map((newest?.recent ?? []).map((seq) => [seq, now])) };
}

/** Moves the border over what is old enough that nothing can appear before it any more. */
function settle(settled: number, seen: Map<number, number>, now: Date): Position {
  const border = now.getTime() - overlapSeconds * 1_000;
  const old = [...seen].filter(([, time]) => time < border).map(([seq]) => seq);
  const moved = Math.max(settled, ...old);
  return { settled: moved, seen: new Map([...seen].filter(([seq]) => seq > moved)) };
}
