import type { Ctx } from '../../core/ctx.ts';
import type { Statement } from '../../core/database/sql.ts';
import { unlimited } from './quota.ts';

/** A generation that has just ended without a reply. */
interface Ended {
  /** Null when the generation is not stored. */
  id: string | null;
  userId: string;
  /** UTC day that was charged; null when nothing was. */
  quotaDay: string | null;
}

/** The charge of a generation, with the UTC day that was charged. */
export interface ReturnedCharge {
  id: string;
  userId: string;
  quotaDay: string;
}

/** Runs in the transaction that refunds charges. */
export type ChargesReturnedStep = (tx: Ctx, returned: readonly ReturnedCharge[]) => Promise<void>;

/** Why charges are refunded: the service interrupted the attempts, they failed, or a person stopped them. */
export type RefundCause = 'interrupted' | 'failed' | 'stopped';

/** Returns the ids of generations whose charge is kept, of those that would be refunded in this transaction. */
export type KeepChargesStep = (
  tx: Ctx,
  charged: readonly ReturnedCharge[],
  cause: RefundCause,
) => Promise<readonly string[]>;

/** Runs in the transaction that charges a message again, because its interrupted attempt is restarted. */
export type ChargeRenewedStep = (tx: Ctx, conversationId: string, now: Date) => Promise<void>;

declare module '../../core/feature.ts' {
  interface Feature {
    /** Bounds refunds of messages by people who do not pay for them. Does not run after an interruption. */
    keepCharges?: readonly KeepChargesStep[];
    onChargesReturned?: readonly ChargesReturnedStep[];
    onChargeRenewed?: readonly ChargeRenewedStep[];
  }
}

// Counters are locked in a fixed order, so that two calls with several users cannot deadlock.
const refundStatement = (name: string, most: string, counted: string) => ({
  name,
  text: `
    with returned as (
      select user_id, day, count(*)::integer as messages from unnest($1::text[], $2::date[]) as r (user_id, day)
      group by user_id, day
    ), locked as materialized (
      select u.user_id, u.day, u.refunds from usage_counters u join returned r using (user_id, day)
      order by u.user_id, u.day for no key update of u
    ), refunded as (
      select user_id, day, ${most} as messages from returned r join locked l using (user_id, day)
    )
    update usage_counters u set messages = greatest(u.messages - r.messages, 0), refunds = u.refunds + ${counted}
    from refunded r where u.user_id = r.user_id and u.day = r.day
    returning u.user_id as "userId", to_char(u.day, 'YYYY-MM-DD') as "quotaDay", r.messages`,
});

const refundAll = refundStatement('quota_refund', 'r.messages', '0');
// A model may have been called for each of these, so an account gets at most as many refunds a day as its plan allows
// messages.
const refundSome = refundStatement(
  'quota_refund_some',
  `least(r.messages, greatest(0, (
    select p.messages from users u join unnest($3::text[], $4::integer[]) as p (plan, messages) on p.plan = u.plan
    where u.id = r.user_id) - l.refunds))`,
  'r.messages',
);

/** A table that stores what attempts were charged. */
export interface ChargeTable {
  /** Marks the attempts $1, of the accounts $3, as charged to the days $2. */
  keepCharged: Statement;
}

const ofGenerations: ChargeTable = {
  keepCharged: {
    name: 'generations_keep_charged',
    text: `
      update generations g set quota_day = c.day from unnest($1::text[], $2::date[], $3::text[]) as c (id, day, user_id)
      where g.id = c.id and g.user_id = c.user_id`,
  },
};

/**
 * Refunds the charges of generations that have ended without a reply, in the transaction that ended them. Charges of
 * attempts that the service interrupted are refunded without limit. Of the others an account gets at most as many
 * refunds a day as its plan allows messages, and the rest stays charged: otherwise a user could call the model for free
 * by failing on purpose. `keepCharges` of the features can keep more.
 */
export async function returnCharges(
  tx: Ctx,
  ended: readonly Ended[],
  cause: RefundCause,
  { keepCharged }: ChargeTable = ofGenerations,
): Promise<void> {
  const all = ended.filter(({ quotaDay }) => quotaDay !== null);
  const keptIds = cause === 'interrupted' ? [] : await keptCharges(tx, all, cause);
  const charged = all.filter(({ id }) => id === null || !keptIds.includes(id));
  await keep(
    tx,
    keepCharged,
    all.filter(({ id }) => id !== null && keptIds.includes(id)),
  );
  if (charged.length === 0) return;
  const values = [charged.map(({ userId }) => userId), charged.map(({ quotaDay }) => quotaDay)];
  if (cause === 'interrupted') {
    await tx.sql(refundAll, values);
    return noteReturned(tx, charged);
  }
  const plans = Object.entries(tx.catalog.planLimits.messagesPerDay);
  const refunded = await tx.sql<Omit<Ended, 'id'> & { messages: number }>(refundSome, [
    ...values,
    plans.map(([plan]) => plan),
    plans.map(([, messages]) => Math.min(messages, unlimited)),
  ]);
  const split = refunded.map(({ userId, quotaDay, messages }) => {
    const ofDay = charged.filter((one) => one.userId === userId && one.quotaDay === quotaDay);
    return { returned: ofDay.slice(0, messages), kept: ofDay.slice(messages) };
  });
  await noteReturned(
    tx,
    split.flatMap(({ returned }) => returned),
  );
  await keep(
    tx,
    keepCharged,
    split.flatMap((day) => day.kept),
  );
}

async function keep(tx: Ctx, statement: Statement, charges: readonly Ended[]): Promise<void> {
  const kept = charges.filter(({ id }) => id !== null);
  if (kept.length === 0) return;
  await tx.sql(statement, [
    kept.map(({ id }) => id),
    kept.map(({ quotaDay }) => quotaDay),
    kept.map(({ userId }) => userId),
  ]);
}

async function keptCharges(tx: Ctx, charges: readonly Ended[], cause: RefundCause): Promise<string[]> {
  const charged = charges.flatMap(toCharge);
  const kept: string[] = [];
  if (charged.length > 0)
    for (const { keepCharges = [] } of tx.catalog.features)
      for (const step of keepCharges) kept.push(...(await step(tx, charged, cause)));
  return kept;
}

const toCharge = ({ id, userId, quotaDay }: Ended): ReturnedCharge[] =>
  id !== null && quotaDay !== null ? [{ id, userId, quotaDay }] : [];

const removeCharge = {
  name: 'generation_remove_charge',
  text: `
    with charged as (
      select id, quota_day from generations
      where user_id = $1 and idempotency_key = $2 and quota_day is not null for update)
    update generations g set quota_day = null from charged c where g.user_id = $1 and g.id = c.id
    returning g.id, g.user_id as "userId", to_char(c.quota_day, 'YYYY-MM-DD') as "quotaDay"`,
};

/**
 * Refunds the reply to the message that was sent with an idempotency key, because it could not be delivered. Has the
 * same limit as the refunds of failed replies. A second call does nothing.
 */
export async function refundUndelivered(tx: Ctx, userId: string, idempotencyKey: string): Promise<void> {
  await returnCharges(tx, await tx.sql<ReturnedCharge>(removeCharge, [userId, idempotencyKey]), 'failed');
}

async function noteReturned(tx: Ctx, charges: readonly Ended[]): Promise<void> {
  const returned = charges.flatMap(toCharge);
  if (returned.length === 0) return;
  for (const { onChargesReturned = [] } of tx.catalog.features)
    for (const step of onChargesReturned) await step(tx, returned);
}
