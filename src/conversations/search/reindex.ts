import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';

const batchSize = 200;
/** How long one task works before the next one continues, so that a restart repeats little. */
const shiftMs = 20_000;

const nextUser = { name: 'search_reindex_user', text: `select id from users where id > $1 order by id limit 1` };
// Writing the content computes the generated vector again. Rows that have the current form are not written.
const messages = {
  name: 'search_reindex_messages',
  text: `
    with batch as materialized (
      select id, created_at from messages
      where user_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
      order by created_at desc, id desc limit ${batchSize}
    ), changed as (
      update messages m set content = m.content from batch b
      where m.user_id = $1 and m.id = b.id and m.search is distinct from search_words(m.user_id, m.content)
    )
    select id, created_at as "createdAt" from batch order by created_at, id limit 1`,
};
const titles = {
  name: 'search_reindex_titles',
  text: `
    update conversation_titles t set search = setweight(search_words(c.user_id, c.title), 'A') from conversations c
    where t.user_id = $1 and c.id = t.conversation_id and c.title is not null
      and t.search is distinct from setweight(search_words(c.user_id, c.title), 'A')`,
};

/**
 * Indexes the messages and titles of the accounts after `after` again, newest messages first, in batches. Idempotent.
 * Needed once after a change of the SQL function `search_words`.
 */
export async function reindexSearch(ctx: Ctx, { after }: { after: string }, run: TaskRun): Promise<void> {
  const endsAtMs = performance.now() + shiftMs;
  let done = after;
  do {
    const [user] = await ctx.sql<{ id: string }>(nextUser, [done]);
    if (!user) return;
    await ctx.sql(titles, [user.id]);
    await reindexMessages(ctx, user.id, run);
    done = user.id;
  } while (performance.now() < endsAtMs);
  await inTransaction(ctx, async (tx) => {
    await run.complete(tx);
    await enqueueTask(tx, 'conversation.reindex', { after: done }, { key: 'all', maxAttempts: 1_000 });
  });
}

async function reindexMessages(ctx: Ctx, userId: string, run: TaskRun): Promise<void> {
  for (let last: { id: string; createdAt: Date } | undefined; ;) {
    run.signal.throwIfAborted();
    const values = [userId, last?.createdAt ?? null, last?.id ?? null];
    last = (await ctx.sql<{ id: string; createdAt: Date }>(messages, values))[0];
    if (!last) return;
    await run.heartbeat();
  }
}
