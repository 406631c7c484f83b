import { createHmac } from 'node:crypto';
import type {
  ChargeRenewedStep,
  ChargesReturnedStep,
  KeepChargesStep,
  ReturnedCharge,
} from '../../conversations/messages/refunds.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { addPoints } from '../../core/http/rate-limit-counters.ts';
import { publish } from '../../core/outbox.ts';
import type { EmbedLimit } from '../embed.events.ts';
import type { IdentityFault } from '../embed.input.ts';
import { tokenLifeMs, type Visitor } from './visitor.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Thrown when a limit of the embed itself rejects a message. */
export class EmbedLimitReached extends AppError {
  readonly limit: EmbedLimit;

  constructor(limit: EmbedLimit, retryAfterSeconds: number) {
    const message =
      limit === 'per_address_hour'
        ? 'Too many messages were sent from this network. Please try again later.'
        : 'The limit of messages for today is reached. Please come back tomorrow.';
    super('rate_limited', { message, retryAfterSeconds });
    this.limit = limit;
  }
}

// The visitor's row is locked already. The counter of the day admits exactly what is left, however many requests are
// concurrent. The times of the visit have indexes, so they are written at most every 5 minutes, and on each new day.
const consume = {
  name: 'embed_consume',
  text: `
    with visitor as (
      update embed_visitors v set day = $3, day_messages = case when v.day = $3 then v.day_messages + 1 else 1 end,
        last_seen_at = case when before.is_first or v.last_seen_at < $6::timestamptz - interval '5 minutes'
          then $6 else v.last_seen_at end
      from (
        select (last_seen_at at time zone 'utc')::date < $3::date as is_first from embed_visitors where id = $1) before
      where v.id = $1 and (v.day is distinct from $3::date or v.day_messages < $4)
      returning before.is_first::integer as visits
    ), embed_day as (
      insert into embed_days as d (embed_id, day, messages, visitors) select $2, $3::date, 1, visits from visitor
      on conflict (embed_id, day) do update set messages = d.messages + 1, visitors = d.visitors + excluded.visitors
      where d.messages - d.refunds < $5
      returning 1
    ), session as (
      update embed_sessions set expires_at = $8
      where token_hash = $7 and expires_at < $8::timestamptz - interval '5 minutes'
    )
    select exists (select from visitor) as "visitorHas", exists (select from embed_day) as "dayHas"`,
};

/**
 * Counts a message towards the limits of the network, the visitor and the embed's day, in the transaction that accepts
 * it, so a rejected message is not counted. A message is also a visit: it keeps the visitor and extends the token.
 * @throws EmbedLimitReached
 */
export async function consumeEmbedLimits(tx: Ctx, visitor: Visitor, network: string): Promise<void> {
  const now = tx.clock.now();
  const limit = visitor.perAddressHour;
  const name = `${limit}/3600:embed:${addressKey(tx, visitor.embedId, network)}`;
  const { id, embedId, perVisitorDay, perDay, tokenHash } = visitor;
  const expiresAt = new Date(now.getTime() + tokenLifeMs);
  const values = [id, embedId, utcDay(now), perVisitorDay, perDay, now, tokenHash, expiresAt];
  const [counted, [left]] = await Promise.all([
    addPoints(tx.sql, { name, limit, windowMs: hourMs, lockMs: 0 }, 1),
    tx.sql<{ visitorHas: boolean; dayHas: boolean }>(consume, values),
  ]);
  if (counted.points > limit) throw new EmbedLimitReached('per_address_hour', Math.ceil(counted.msLeft / 1_000));
  if (!left?.visitorHas) throw new EmbedLimitReached('per_visitor_day', untilMidnight(now));
  if (!left.dayHas) throw new EmbedLimitReached('per_day', untilMidnight(now));
}

const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

const untilMidnight = (now: Date): number => Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000);

/** Returns the only form in which an address is stored. It changes every day and differs between embeds. */
const addressKey = ({ config, clock }: Ctx, embedId: string, network: string): string =>
  createHmac('sha256', config.authKeys[0]?.secret ?? '')
    .update(`embed address ${utcDay(clock.now())} ${embedId} ${network}`)
    .digest('base64url');

const refused = {
  per_day: 'refused_per_day',
  per_visitor_day: 'refused_per_visitor_day',
  per_address_hour: 'refused_per_address_hour',
} as const satisfies Record<EmbedLimit, string>;

const noteStatement = (column: string) => ({
  name: `embed_note_${column}`,
  text: `
    insert into embed_days as d (embed_id, day, ${column}) values ($1, $2, 1)
    on conflict (embed_id, day) do update set ${column} = d.${column} + 1
    returning ${column} as count`,
});
const notes = {
  per_day: noteStatement(refused.per_day),
  per_visitor_day: noteStatement(refused.per_visitor_day),
  per_address_hour: noteStatement(refused.per_address_hour),
};

/** Counts a rejected message. Publishes `embed.limit_reached` for the first one of a day and limit. */
export async function noteRefusal(ctx: Ctx, { embedId, ownerId }: Visitor, limit: EmbedLimit): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [note] = await tx.sql<{ count: number }>(notes[limit], [embedId, utcDay(tx.clock.now())]);
    if (note?.count === 1) await publish(tx, ownerId, 'embed.limit_reached', { embedId, limit, sequence: 1 });
  });
}

const noteFault = {
  name: 'embed_note_identity_fault',
  text: `
    insert into embed_days as d (embed_id, day, identity_faults) values ($1, $2, jsonb_build_object($3::text, 1))
    on conflict (embed_id, day) do update set identity_faults = d.identity_faults || jsonb_build_object(
      $3::text, coalesce((d.identity_faults->>$3)::integer, 0) + 1)`,
};

/** Counts a refused identity, which the owner sees in the statistics. */
export const noteIdentityFault = async (ctx: Ctx, embedId: string, fault: IdentityFault): Promise<void> =>
  void (await ctx.sql(noteFault, [embedId, utcDay(ctx.clock.now()), fault]));

// Locks rows in the order of their keys, so that two statements cannot deadlock.
const returnCharges = {
  name: 'embed_return_charges',
  text: `
    with returned as (
      select c.embed_id, r.day, count(*)::integer as messages
      from unnest($1::text[], $2::date[], $3::text[]) as r (id, day, user_id)
      join generations g on g.id = r.id and g.user_id = r.user_id
      join embed_conversations c on c.conversation_id = g.conversation_id
      group by c.embed_id, r.day
    ), locked as materialized (
      select d.embed_id, d.day from embed_days d join returned using (embed_id, day)
      order by d.embed_id, d.day for no key update of d
    )
    update embed_days d set refunds = least(d.refunds + r.messages, d.messages) from returned r join locked using (embed_id, day)
    where d.embed_id = r.embed_id and d.day = r.day`,
};

const valuesOf = (charges: readonly ReturnedCharge[]) => [
  charges.map(({ id }) => id),
  charges.map(({ quotaDay }) => quotaDay),
  charges.map(({ userId }) => userId),
];

/** Refunds messages that got no reply to the daily limit of their embed. */
export const returnToEmbeds: ChargesReturnedStep = async (tx, returned) =>
  void (await tx.sql(returnCharges, valuesOf(returned)));

/** Maximum number of refunded messages of a visitor per UTC day. */
const maxRefunds = 5;

// A visitor has one conversation at a time, and a conversation one reply, so the sum over all of them is exact enough.
const keepVisitorCharges = {
  name: 'embed_keep_charges',
  text: `
    with ended as (
      select c.conversation_id, r.id, r.day, $4 - coalesce((
          select sum(o.day_refunds) from embed_conversations o where o.visitor_id = c.visitor_id and o.refund_day = r.day
        ), 0) as allowed, row_number() over (partition by c.visitor_id, r.day order by r.id) as number
      from unnest($1::text[], $2::date[], $3::text[]) as r (id, day, user_id)
      join generations g on g.id = r.id and g.user_id = r.user_id
      join embed_conversations c on c.conversation_id = g.conversation_id
    ), counted as (
      select conversation_id, day, count(*)::integer as refunds from ended where number <= allowed group by conversation_id, day
    ), noted as (
      update embed_conversations c set refund_day = n.day,
        day_refunds = n.refunds + case when c.refund_day = n.day then c.day_refunds else 0 end
      from counted n where c.conversation_id = n.conversation_id
    )
    select id from ended where number > allowed`,
};

/**
 * Keeps the charges of visitors who stop replies before the first word, because the model was called, and of failed
 * replies beyond the limit per visitor: otherwise a visitor could exceed the cap of the day and use up the refunds of the
 * owner.
 */
export const keepChargesOfVisitors: KeepChargesStep = async (tx, charged, cause) => {
  const limit = cause === 'stopped' ? 0 : maxRefunds;
  const kept = await tx.sql<{ id: string }>(keepVisitorCharges, [...valuesOf(charged), limit]);
  return kept.map(({ id }) => id);
};

const renewCharge = {
  name: 'embed_renew_charge',
  text: `
    insert into embed_days as d (embed_id, day, messages)
    select embed_id, $2::date, 1 from embed_conversations where conversation_id = $1
    on conflict (embed_id, day) do update set refunds = greatest(d.refunds - 1, 0),
      messages = d.messages + (d.refunds = 0)::integer`,
};

/** Charges a refunded message again, because its reply is written after all. */
export const renewEmbedCharge: ChargeRenewedStep = async (tx, conversationId, now) =>
  void (await tx.sql(renewCharge, [conversationId, utcDay(now)]));
