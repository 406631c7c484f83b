import pg from 'pg';

/** How much is not sent a second time. */
export interface HeldBack {
  deliveries: number;
  events: number;
  mails: number;
  platformMessages: number;
}

// As the dispatcher would write them, only that nobody sends them until their owner asks for it.
const skipEvents = `
  insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at)
  select 'dlv_' || substr(o.id, 5, 14) || '7' || substr(gen_random_uuid()::text, 16), w.id, o.id, o.type, 'skipped',
    now(), now(), now()
  from outbox_events o join webhooks w on w.user_id = o.account_id and o.type = any (w.events)
  where o.dispatched_at is null or exists (select from outbox_queue q where q.seq = o.seq)`;

const steps = {
  deliveries: `
    update webhook_deliveries set status = 'skipped', finished_at = now(), lease_token = null, lease_until = null
    where status = 'pending'`,
  markedEvents: `update outbox_events set dispatched_at = now() where dispatched_at is null`,
  queuedEvents: `delete from outbox_queue`,
  mails: `delete from mails`,
  platformMessages: `
    update platform_messages set state = 'dropped', content = '', parts = null, sending = false
    where state in ('received', 'replying')`,
};

/**
 * For a database that was restored from a backup, before an instance starts on it: what was on its way to webhooks,
 * mailboxes and chat platforms when the backup was made has long arrived, so it is not sent again. Deliveries become
 * `skipped`, which their owners can still have sent. One transaction.
 */
export async function holdBackWhatWasSent(databaseUrl: string): Promise<HeldBack> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The statement that is under way says it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const run = async (statement: string) => (await client.query(statement)).rowCount ?? 0;
    const deliveries = (await run(steps.deliveries)) + (await run(skipEvents));
    const held = {
      deliveries,
      events: (await run(steps.markedEvents)) + (await run(steps.queuedEvents)),
      mails: await run(steps.mails),
      platformMessages: await run(steps.platformMessages),
    };
    await client.query('delete from instances');
    await client.query('commit');
    return held;
  } finally {
    await client.end();
  }
}
