import type { Ctx } from './ctx.ts';
import { newId } from './ids.ts';
import type { SqlValue } from './database/sql.ts';
import type { TaskWaker } from './tasks/tasks.ts';
import { onCommitted, sendSql } from './database/transaction.ts';
import { toWire } from './wire.ts';

/** Event types and their `data` in camelCase. Features add theirs by declaration merging. */
export interface EventData {}

export type EventType = keyof EventData;

/** Source of the documentation and of the test events of a type. */
export interface EventEntry<Data> {
  /** When the event is sent. */
  description: string;
  /** Example of `data`, in camelCase like the payloads that features publish. */
  example: Data;
  /** Schemas of `data` without `sequence`, combined in the OpenAPI document. */
  data: readonly EventDataShape[];
}

/**
 * Name of a schema in the OpenAPI document, or properties in snake_case. Each property is a JSON Schema and always
 * present.
 */
export type EventDataShape = { resource: string } | { properties: Readonly<Record<string, object>> };

/** Entries for some event types. */
export type EventEntries<Events = EventData> = { readonly [Type in keyof Events]: EventEntry<Events[Type]> };

/** Kind of the wake-up for readers of the outbox. */
export const outboxKind = 'outbox';

/** Returns the kind of the wake-up for readers of one account's events. */
export const accountEventsKind = (accountId: string): string => `${outboxKind}:${accountId}`;

// An event without a subscriber is stored for readers of the account but not queued, which saves the dispatcher a
// fan-out.
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
  /** Name of the common table expression that has one row for each event. */
  from: string;
  id: string;
  accountId: string;
  type: EventType;
  /** JSON of `data` without its `sequence`; see `eventJson`. */
  data: string;
  sequence: string;
  at: string;
}

/**
 * Returns the common table expressions `event` and `queued`, which publish an event in the statement that makes the
 * change. All values are SQL expressions. `queued` has a row when a webhook subscribes to the event. Call
 * `announceEvent` as well.
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

/** Returns the `data` of an event for `withEvent`. */
export const eventJson = <Type extends EventType>(_type: Type, data: Omit<EventData[Type], 'sequence'>): string =>
  JSON.stringify(toWire(data));

/**
 * Wakes the readers of an event that was published with `withEvent`, once the transaction of `ctx` has committed.
 * `isQueued` is called then and returns whether a webhook subscribes to the event.
 */
export const announceEvent = (ctx: Ctx, accountId: string, isQueued: () => boolean): void =>
  onCommitted(ctx, () => void setTimeout(() => wake(ctx.ports.tasks, accountId, isQueued()), wakeAfterMs));

/**
 * Publishes an event in the transaction of the change, so that it exists exactly if the change does. Call it inside
 * `inTransaction`. `accountId` is the user whose webhooks receive it; `data` is stored in its wire format.
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

/**
 * Delay of the wake-up, in milliseconds: the caller is waiting for the next step of the service, such as a model call,
 * while webhooks can wait.
 */
const wakeAfterMs = 5;

function wake(tasks: TaskWaker, accountId: string, isEnqueued: boolean): void {
  if (isEnqueued) tasks.wake(outboxKind);
  tasks.wake(accountEventsKind(accountId));
}

/** Wakes readers of an account once the transaction has committed, for a change that is not an event. */
export const wakeAccountReaders = (ctx: Ctx, accountId: string): void =>
  onCommitted(ctx, () => ctx.ports.tasks.wake(accountEventsKind(accountId)));
