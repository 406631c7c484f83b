import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findPrice } from '../../src/simulators/stripe/catalog.ts';
import { findViolations } from '../support/invariants.ts';
import { hashOf } from './ledger.ts';
import type { World } from './world.ts';

interface Site {
  db: pg.Pool;
  filesFolder: string;
}

const settleLimitMs = 90_000;

/** Compares what was acknowledged with the database, the files, the receiver and the processor. Each difference is a finding. */
export async function audit(world: World, site: Site): Promise<void> {
  await settle(world, site);
  await auditMessages(world, site);
  await auditEvents(world, site);
  await auditDocuments(world, site);
  await auditBilling(world, site);
  await auditAccounts(world, site);
}

/** Transient states that must have ended once the load is over (I7). */
const openWork: Record<string, string> = {
  'replies that are still running': `select id from generations where state = 'running'`,
  'documents that are still processed': `select id from documents where status = 'processing'`,
  'documents that are still removed': `select key as id from tasks where kind = 'document.remove' and state <> 'failed'`,
  'exports that are still made': `select id from data_exports where status = 'processing'`,
  'tasks that are due or taken': `select kind || ' ' || coalesce(key, id::text) || coalesce(': ' || last_error, '') as id from tasks
    where state = 'running' or (state = 'pending' and run_at < now() - interval '1 second')`,
  'tasks that failed for good': `select kind || coalesce(': ' || last_error, '') as id from tasks where state = 'failed'`,
  'events that were not handed on': `select id from outbox_events e
    where dispatched_at is null or exists (select from outbox_queue q where q.seq = e.seq)`,
  'deliveries that are pending': `select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.active
    where d.status = 'pending'`,
  'platform messages without an end': `select event_id as id from platform_messages where state in ('received', 'replying')`,
  'sessions of the database that hold a transaction': `select pid::text || ' ' || left(query, 80) as id from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`,
};

async function settle(world: World, { db }: Site): Promise<void> {
  const deadline = performance.now() + settleLimitMs;
  for (;;) {
    const open: [string, string[]][] = [];
    for (const [what, query] of Object.entries(openWork)) {
      const { rows } = await db.query<{ id: string }>(query);
      if (rows.length > 0) open.push([what, rows.map(({ id }) => id)]);
    }
    if (open.length === 0) return;
    if (performance.now() > deadline) {
      for (const [what, ids] of open) world.findings.add(what, `${ids.length}: ${ids.slice(0, 3).join(', ')}`);
      return;
    }
    await delay(500);
  }
}

/** I1, I2, I5, I6, I11. */
async function auditMessages({ findings, ledger }: World, { db }: Site): Promise<void> {
  for (const [name, rows] of Object.entries(await findViolations(db))) {
    // Deleted messages stay charged, so their owner's count exceeds the messages that exist.
    const left = (rows as { user_id?: string }[]).filter(({ user_id: id }) => !id || !ledger.forgetful.has(id));
    if (left.length > 0) findings.add(name, `${left.length}: ${JSON.stringify(left.slice(0, 3))}`);
  }
  const isGone = (id: string) => ledger.gone.has(id);
  const { rows: messages } = await db.query<{ id: string; role: string; conversation_id: string; content: string }>(
    'select id, role, conversation_id, content from messages',
  );
  const times = new Map<string, number>();
  const contents = new Map<string, string>();
  for (const { id, role, conversation_id: place, content } of messages) {
    if (isGone(place)) findings.add('a message of a deleted conversation', id);
    if (role === 'user') times.set(content, (times.get(content) ?? 0) + 1);
    else contents.set(id, hashOf(content));
  }
  for (const [content, { conversationId }] of ledger.sent) {
    const count = times.get(content) ?? 0;
    if (!isGone(conversationId) && count !== 1)
      findings.add('an acknowledged message that does not exist exactly once', `${count} times: ${content}`);
  }
  for (const [id, { conversationId, hash }] of ledger.replies)
    if (!isGone(conversationId) && contents.get(id) !== hash)
      findings.add('a reply that is not stored as it was read', `${id}${contents.has(id) ? '' : ' is missing'}`);
}

/** I3, I4. */
async function auditEvents({ findings, ledger, receiver }: World, { db }: Site): Promise<void> {
  receiver.verifyRest();
  const { rows: events } = await db.query<{ id: string; account_id: string; created_at: Date; only: string | null }>(
    'select id, account_id, created_at, only_webhook_id as only from outbox_events',
  );
  const committed = new Set(events.map(({ id }) => id));
  for (const id of receiver.events) if (!committed.has(id)) findings.add('an event that was never committed', id);
  for (const [path, { webhookId, userId }] of ledger.listeners) {
    const { rows } = await db.query<{ created_at: Date }>('select created_at from webhooks where id = $1', [webhookId]);
    const since = rows[0]?.created_at ?? new Date();
    const arrived = receiver.arrived(path);
    for (const { id, account_id: owner, created_at: at, only } of events)
      if (owner === userId && only === null && at >= since && !arrived.has(id))
        findings.add('a committed event that did not arrive', `${id} at ${path}`);
  }
  const { rows: odd } = await db.query<{ id: string }>(
    `select id from webhook_deliveries where status = 'failed' and jsonb_array_length(attempts) <> 4`,
  );
  for (const { id } of odd) findings.add('a failed delivery without its four attempts', id);
}

/** I8. */
async function auditDocuments({ findings, ledger }: World, { db, filesFolder }: Site): Promise<void> {
  const { rows } = await db.query<{
    id: string;
    status: string;
    total: number | null;
    chunks: number;
    vectors: number;
  }>(
    `select d.id, d.status, d.chunks_total as total,
       (select count(*)::int from chunks c where c.document_id = d.id) as chunks,
       (select count(*)::int from chunk_vectors v where v.document_id = d.id) as vectors
     from documents d`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { id, status, total, chunks, vectors } of rows)
    if (status === 'ready' && (chunks !== total || vectors !== total))
      findings.add('a document with a wrong number of chunks or vectors', `${id}: ${total}, ${chunks}, ${vectors}`);
  for (const id of ledger.documents.keys())
    if (ledger.gone.has(id) === stored.has(id))
      findings.add(stored.has(id) ? 'a deleted document' : 'a lost document', id);
  const { rows: strays } = await db.query<{ id: string }>(
    `select document_id as id from chunks where document_id not in (select id from documents)
     union select document_id from chunk_vectors where document_id not in (select id from documents)`,
  );
  for (const { id } of strays) findings.add('chunks or vectors without a document', id);
  const files = await readdir(filesFolder, { recursive: true, withFileTypes: true }).catch(() => []);
  const ids = files
    .filter((file) => file.isFile())
    .map((file) => /doc_[0-9a-f-]{36}/.exec(join(file.parentPath, file.name))?.[0]);
  for (const id of ids) if (id && !stored.has(id)) findings.add('a file without a document', id);
  for (const id of stored.keys()) if (!ids.includes(id)) findings.add('a document without its file', id);
}

/** I9. */
async function auditBilling({ findings, ledger, vendors }: World, { db }: Site): Promise<void> {
  const { rows } = await db.query<{ user_id: string; customer_id: string; plan: string; cancels: boolean }>(
    `select b.user_id, b.customer_id, u.plan, b.cancel_at is not null as cancels
     from billing_accounts b join users u on u.id = b.user_id`,
  );
  const known = new Set(rows.map(({ user_id: id }) => id));
  for (const id of ledger.subscribers) if (!known.has(id)) findings.add('a subscriber without a billing account', id);
  for (const { user_id: userId, customer_id: customerId, plan, cancels } of rows) {
    const state = await vendors.bills.find(customerId);
    const running = state?.subscriptions.filter(({ status }) => status !== 'canceled') ?? [];
    const theirs = findPrice(running[0]?.priceId ?? '')?.plan ?? 'free';
    if (running.length > 1) findings.add('two subscriptions of one account', userId);
    if (theirs !== plan) findings.add('a plan that differs at the processor', `${userId}: ${plan}, ${theirs}`);
    if ((running[0]?.cancelAtPeriodEnd ?? false) !== cancels) findings.add('a cancellation that is not shared', userId);
  }
}

async function auditAccounts({ findings, ledger }: World, { db }: Site): Promise<void> {
  const { rows } = await db.query<{ email: string }>(
    'select email from users where email = any($1) and deletion_requested_at is null',
    [[...ledger.leavers]],
  );
  for (const { email } of rows) findings.add('an account whose deletion was forgotten', email);
}
