import { messagesOf } from './messages-of.ts';
import {
  addUsers,
  busyWebhookId,
  groupOf,
  nothing,
  ownerId,
  readerAgentId,
  type SeedPart,
  textOf,
  uuidOf,
} from './part.ts';

const agentsOfUser = 100;

const agents: SeedPart = {
  name: 'agents',
  what: 'public agents',
  volume: 150_000,
  batchSize: 5_000,
  tables: ['agents', 'users'],
  prepare: nothing,
  async write(db, from, through) {
    await addUsers(db, 'maker', groupOf(from, agentsOfUser), groupOf(through, agentsOfUser));
    await db.query(
      `insert into agents (id, owner_id, name, description, instructions, model, is_public, category, message_count,
         trending_score, created_at, updated_at)
       select ${uuidOf('agent', 'n')}, 'usr_' || ${uuidOf('maker user', `(n - 1) / ${agentsOfUser} + 1`)},
         initcap(split_part(${textOf('n', 1)}, ' ', 1) || ' ' || split_part(${textOf('n', 2)}, ' ', 2)),
         left(${textOf('n', 3)}, 200), 'Be brief.', 'default', true,
         (array['tutor', 'assistant', 'companion', null, 'coach', 'creative', 'developer', 'other'])[1 + n % 8], (100000 / n)::bigint,
         case when n % 10 = 0 then random() * 50 else 0 end, now() - n * interval '1 minute', now()
       from generate_series($1::bigint, $2::bigint) n`,
      [from, through],
    );
  },
};

const webhooksOfUser = 100;

const webhooks: SeedPart = {
  name: 'webhooks',
  what: 'webhooks',
  volume: 1_000_000,
  batchSize: 20_000,
  tables: ['webhooks', 'users'],
  prepare: nothing,
  async write(db, from, through) {
    await addUsers(db, 'hook', groupOf(from, webhooksOfUser), groupOf(through, webhooksOfUser));
    await db.query(
      `insert into webhooks (id, user_id, url, events, secret, active, created_at, updated_at)
       select 'wh_' || ${uuidOf('webhook', 'n')}, 'usr_' || ${uuidOf('hook user', `(n - 1) / ${webhooksOfUser} + 1`)},
         'https://hooks-' || n || '.example.com/events', array['message.created', 'agent.created'], 'none', n % 20 <> 0,
         now() - n * interval '1 second', now()
       from generate_series($1::bigint, $2::bigint) n`,
      [from, through],
    );
  },
};

/** One in this many deliveries failed, and one waits for a retry in a year, so that a running service sends nothing. */
const failedOneIn = 50;
const pendingOneIn = 200;

const deliveries: SeedPart = {
  name: 'deliveries',
  what: 'deliveries of one webhook within a day',
  volume: 1_000_000,
  batchSize: 20_000,
  tables: ['webhook_deliveries', 'webhook_hours'],
  async prepare(db) {
    await db.query(`select create_partitions(2)`);
    await db.query(
      `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
       values ($1, $2, 'https://busy.example.com/events', '{message.created}', 'none', now(), now()) on conflict do nothing`,
      [busyWebhookId, ownerId],
    );
  },
  async write(db, from, through) {
    await db.query(
      `with written as (
         insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, attempt_count, attempted_at,
           attempts, created_at, finished_at)
         select 'dlv_' || ${uuidOf('delivery', 'n')}, $3, 'evt_' || ${uuidOf('event', 'n')}, 'message.created', s.status,
           case when s.status = 'pending' then d.at + interval '1 year' else d.at end, 1, d.at,
           jsonb_build_array(jsonb_build_object('startedAt', to_char(d.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'status', case when s.status = 'delivered' then 200 else 503 end, 'durationMs', 20 + n % 180, 'error', null,
             'excerpt', null)),
           d.at, case when s.status <> 'pending' then d.at end
         from generate_series($1::bigint, $2::bigint) n,
           lateral (select date_trunc('milliseconds', now()) - n % 86400000 * interval '80 milliseconds' as at) d,
           lateral (select case when n % ${pendingOneIn} = 0 then 'pending' when n % ${failedOneIn} = 1 then 'failed'
             else 'delivered' end as status) s
         returning webhook_id, status, created_at
       )
       insert into webhook_hours as h (webhook_id, hour, delivered, failed, skipped, attempts)
       select webhook_id, date_trunc('hour', created_at, 'UTC'), count(*) filter (where status = 'delivered'),
         count(*) filter (where status = 'failed'), 0, count(*)
       from written group by 1, 2
       on conflict (webhook_id, hour) do update set delivered = h.delivered + excluded.delivered,
         failed = h.failed + excluded.failed, attempts = h.attempts + excluded.attempts`,
      [from, through, busyWebhookId],
    );
  },
};

const chunksOfDocument = 500;

const chunks: SeedPart = {
  name: 'chunks',
  what: 'chunks of one agent',
  volume: 1_500_000,
  batchSize: 10_000,
  tables: ['chunks', 'documents'],
  prepare: nothing,
  async write(db, from, through) {
    await db.query(
      `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, chunks_total, chunks_done, language,
         created_at, started_at, completed_at)
       select 'doc_' || ${uuidOf('document', 'n')}, $3, $4, 'notes-' || n || '.txt', 'txt', 100000, 'ready',
         ${chunksOfDocument}, ${chunksOfDocument}, 'english', now() - n * interval '1 minute', now(), now()
       from generate_series($1::bigint, $2::bigint) n on conflict do nothing`,
      [groupOf(from, chunksOfDocument), groupOf(through, chunksOfDocument), readerAgentId, ownerId],
    );
    await db.query(
      `insert into chunks (id, document_id, agent_id, position, place, content, language)
       select 'chk_' || ${uuidOf('chunk', 'n')}, 'doc_' || ${uuidOf('document', `(n - 1) / ${chunksOfDocument} + 1`)}, $3,
         ((n - 1) % ${chunksOfDocument})::int, '', ${textOf('n', 4)}, 'english'
       from generate_series($1::bigint, $2::bigint) n`,
      [from, through, readerAgentId],
    );
  },
};

const messages = messagesOf({
  name: 'messages',
  what: 'messages with one agent',
  volume: 400_000,
  userKind: 'talker',
  rowKinds: ['conversation', 'message'],
  conversationsOfUser: 10,
});

/** All parts, in the order of filling. */
export const parts: readonly SeedPart[] = [agents, messages, webhooks, deliveries, chunks];
