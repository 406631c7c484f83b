import type { Ctx } from './ctx.ts';
import { newId } from './ids.ts';
import type { SqlValue } from './database/sql.ts';
import type { TaskWaker } from './tasks/tasks.ts';
import { onCommitted, sendSql } from './database/transaction.ts';
import { toWire } from './wire.ts';

/** Every event type and its `data` in camelCase; features merge theirs in. */
export interface EventData {}

export type EventType = keyof EventData;

/** What the documentation and the test events of a type are made from. */
export interface EventEntry<Data> {
  /** When it is sent. */
  description: string;
  /** An example of `data`, in camelCase like the payload that features publish. */
  example: Data;
  /** The fields of `data` besides `sequence`, combined in the OpenAPI document. */
  data: readonly EventDataShape[];
}

/** A schema of the OpenAPI document by its name, or properties in snake_case, each a JSON Schema and always present. */
export type EventDataShape = { resource: string } | { properties: Readonly<Record<string, object>> };

/** An entry for each of some event types. */
export type EventEntries<Events = EventData> = { readonly [Type in keyof Events]: EventEntry<Events[Type]> };

/** The kind under which `ctx.ports.tasks` wakes readers of the outbox. */
export const outboxKind = 'outbox';

/** The kind under which it wakes readers of one account's events. */
export const accountEventsKind = (accountId: string): string => `${outboxKind}:${accountId}`;

// An event without a subscriber is kept for readers of the account, and spares the dispatcher a fan-out.
const insertEvent = {
  name: 'outbox_insert',
  text: `
    with event as (
      insert into outbox_events (id, account_id, type, data, created_at, dispatched_at) values ($1, $2, $3, $4, $5, $5)
      returning seq, created_at
    )
    insert into outbox_queue (seq, event_created_at) select seq, created_at from event where has_subscriber($2, $3)
    returning seq`,
};

interface EventSql {
  /** The common table expression with one row for each event. */
  from: string;
  id: string;
  accountId: string;
  type: EventType;
  /** JSON of what `data` holds besides its `sequence`; see `eventJson`. */
  data: string;
  sequence: string;
  at: string;
}

/**
 * Common table expressions `event` and `queued` that publish an event in the statement of its cause, from SQL expressions.
 * `queued` has a row when a webhook subscribes to it. Call `announceEvent` as well.
 */
export const withEvent = ({ from, id, accountId, type, data, sequence, at }: EventSql): string => `
    event as (
      insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
      select ${id}, ${accountId}, '${type}', (left(${data}, -1) || ',"sequence":' || ${sequence} || '}')::json, ${at}, ${at}
      from ${from}
      returning seq, created_at, account_id, type
    ), queued as (
      insert into outbox_queue (seq, event_created_at)
      select seq, created_at from event where has_subscriber(account_id, type)
      returning seq
    )`;

/** The `data` of an event for `withEvent`. */
export const eventJson = <Type extends EventType>(_type: Type, data: Omit<EventData[Type], 'sequence'>): string =>
  JSON.stringify(toWire(data));

/**
 * Wakes the readers of an event that a statement of its own has published, once the transaction of `ctx` has committed.
 * `isQueued` returns then whether a webhook subscribes to it.
 */
export const announceEvent = (ctx: Ctx, accountId: string, isQueued: () => boolean): void =>
  onCommitted(ctx, () => void setTimeout(() => wake(ctx.ports.tasks, accountId, isQueued()), wakeAfterMs));

/**
 * Writes an event in the transaction of its cause, so that it exists exactly when the change does; call it inside
 * `inTransaction`. `accountId` is the user whose webhooks receive it; `data` is stored in its wire form.
 */
export async function publish<Type extends EventType>(
  ctx: Ctx,
  accountId: string,
  type: Type,
  data: EventData[Type],
): Promise<void> {
  const values: SqlValue[] = [newId('evt_'), accountId, type, JSON.stringify(toWire(data)), ctx.clock.now()];
  let isEnqueued = false;
  await sendSql(ctx, insertEvent, values, (rows) => {
    isEnqueued = rows.length > 0;
  });
  announceEvent(ctx, accountId, () => isEnqueued);
}

/** The caller is waiting for what the service does next, such as calling the model; webhooks are not. */
const wakeAfterMs = 5;

function wake(tasks: TaskWaker, accountId: string, isEnqueued: boolean): void {
  if (isEnqueued) tasks.wake(outboxKind);
  tasks.wake(accountEventsKind(accountId));
}

/** Notifies readers of an account, once it is committed, of a change that is no event. */
export const wakeAccountReaders = (ctx: Ctx, accountId: string): void =>
  onCommitted(ctx, () => ctx.ports.tasks.wake(accountEventsKind(accountId)));
