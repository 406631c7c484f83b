import type { Ctx } from './ctx.ts';
import { newId } from './ids.ts';
import type { SqlValue } from './sql.ts';
import type { TaskWaker } from './tasks.ts';
import { onCommitted, sendSql } from './transaction.ts';
import { toWire } from './wire.ts';

/** Every event type of the specification and its `data` in camelCase; features merge theirs in. */
export interface EventData {}

export type EventType = keyof EventData;

/** The kind under which `ctx.ports.tasks` wakes whoever reads the outbox. */
export const outboxKind = 'outbox';

/** The kind under which it wakes whoever follows the events of one account. */
export const accountEventsKind = (accountId: string): string => `${outboxKind}:${accountId}`;

const insertEvent = {
  name: 'outbox_insert',
  text: `
    with event as (
      insert into outbox_events (id, account_id, type, data, created_at, dispatched_at) values ($1, $2, $3, $4, $5, $5)
      returning seq
    )
    insert into outbox_queue (seq) select seq from event`,
};

/**
 * Writes an event in the transaction of its cause. `accountId` is the user whose webhooks get it; `data` is stored
 * as it goes over the wire. Call it inside `inTransaction`: the event then exists exactly when the change does.
 */
export async function publish<Type extends EventType>(
  ctx: Ctx,
  accountId: string,
  type: Type,
  data: EventData[Type],
): Promise<void> {
  const values: SqlValue[] = [newId('event'), accountId, type, JSON.stringify(toWire(data)), ctx.clock.now()];
  await sendSql(ctx, insertEvent, values);
  onCommitted(ctx, () => setTimeout(wake, wakeAfterMs, ctx.ports.tasks, accountId));
}

/** Whoever caused the event is waiting for what the service does next, such as asking the model; webhooks are not. */
const wakeAfterMs = 5;

function wake(tasks: TaskWaker, accountId: string): void {
  tasks.wake(outboxKind);
  tasks.wake(accountEventsKind(accountId));
}
