import { callerId } from '../../accounts/caller.ts';
import { lockPlan } from '../../accounts/plan.ts';
import { getAgent } from '../../agents/agents.ts';
import { requireStorage } from '../../billing/storage/stored-bytes.ts';
import { getConversation } from '../../conversations/conversations.ts';
import { randomToken, sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { isForeignKeyViolation } from '../../core/database/database-errors.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { publish } from '../../core/outbox.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { checkLater, refuseFlaggedText } from '../../moderation/check-content.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { noteShared } from '../activities/activities.ts';
import { listInput, shareInput } from '../social.input.ts';
import { shareEventData } from '../social.events.ts';
import { countWrite } from '../write-limits.ts';
import { type ShareView, shareColumns } from './share-view.ts';
import type { SharedMessage } from './share.entity.ts';
import { takeSnapshot } from './snapshot.ts';

/** A new share and the token of its link. The token cannot be retrieved later. */
export interface CreatedShare {
  share: ShareView;
  token: string;
}

const maxLive = 1_000;

const countLive = {
  name: 'shares_count_live',
  text: `select count(*) as total from shares where owner_id = $1 and revoked_at is null`,
};
const insert = {
  name: 'share_insert',
  text: `
    insert into shares (id, owner_id, type, agent_id, conversation_id, token_hash, agent_name, title, note, anonymous, in_feed,
      indexable, message_count, snapshot, snapshot_bytes, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb, $15, $16)`,
};

interface Shared {
  agentId: string;
  agentName: string;
  conversationId: string | null;
  messages: SharedMessage[] | null;
}

/**
 * Creates a link to a public agent or to a snapshot of messages in one of the caller's conversations, and publishes
 * `share.created`.
 * @throws AppError `invalid_request`, also when moderation flags the content of a share in feeds, `not_found`,
 * `conflict` above 1,000 active links, `plan_limit_exceeded`, `forbidden` for a restricted account, `rate_limited`
 */
export async function createShare(ctx: Ctx, input: unknown): Promise<CreatedShare> {
  const fields = parseInput(shareInput, input);
  await requireUnrestricted(ctx);
  // In a transaction of its own: an attempt that fails counts too, because it may read and check long messages.
  await inTransaction(ctx, countWrite);
  const { type, title = null, note = null, anonymous, inFeed, indexable } = fields;
  const shared = await (type === 'agent' ? sharedAgent(ctx, fields.agentId) : sharedConversation(ctx, fields));
  const texts = [title, note, ...(shared.messages ?? []).map(({ content }) => content)].filter((text) => text !== null);
  const isChecked = inFeed ? await refuseFlaggedText(ctx, 'note', texts.join('\n\n')) : true;
  const id = newId('shr_');
  const token = randomToken(32);
  await inTransaction(ctx, async (tx) => {
    const ownerId = callerId(tx);
    const { agentId, agentName, conversationId, messages } = shared;
    const snapshot = messages && JSON.stringify(messages);
    const snapshotBytes = Buffer.byteLength(snapshot ?? '');
    await requireCapacity(tx, ownerId, snapshotBytes);
    const rest = [sha256(token), agentName, title, note, anonymous, inFeed, indexable, messages?.length ?? 0, snapshot];
    await tx.sql(insert, [id, ownerId, type, agentId, conversationId, ...rest, snapshotBytes, tx.clock.now()]);
    if (inFeed) await noteShared(tx, id);
    if (!isChecked) await checkLater(tx, 'share', id);
    await publish(tx, ownerId, 'share.created', shareEventData(await getShare(tx, id)));
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? notFound() : error;
  });
  return { share: await getShare(ctx, id), token };
}

async function sharedAgent(ctx: Ctx, id = ''): Promise<Shared> {
  const agent = await getAgent(ctx, id);
  if (!agent.isPublic)
    throw invalidField('agentId', 'not_public', 'Only a public agent can be shared. Publish the agent first.');
  return { agentId: agent.id, agentName: agent.name, conversationId: null, messages: null };
}

const findAgentName = { name: 'share_agent_name', text: `select name from agents where id = $1` };

interface ChosenMessages {
  conversationId: string | undefined;
  upToMessageId: string | undefined;
  messageIds: string[] | undefined;
}

async function sharedConversation(ctx: Ctx, chosen: ChosenMessages): Promise<Shared> {
  const { id, agentId, source } = await getConversation(ctx, chosen.conversationId ?? '');
  if (source !== 'direct')
    throw invalidField(
      'conversationId',
      'other_people',
      'Messages of other people, from a website or a chat platform, cannot be shared.',
    );
  const messages = await takeSnapshot(ctx, id, chosen);
  const [agent] = await ctx.sql<{ name: string }>(findAgentName, [agentId]);
  return { agentId, agentName: agent?.name ?? '', conversationId: id, messages };
}

/**
 * Checks the limits of active links and of stored bytes. The account lock prevents parallel requests from exceeding them.
 * @throws AppError `conflict`, `plan_limit_exceeded`
 */
async function requireCapacity(tx: Ctx, ownerId: string, addedBytes: number): Promise<void> {
  await lockPlan(tx, ownerId);
  await requireStorage(tx, addedBytes, ownerId);
  const [row] = await tx.sql<{ total: number }>(countLive, [ownerId]);
  if ((row?.total ?? 0) < maxLive) return;
  throw new AppError('conflict', {
    message: `You can have ${maxLive.toLocaleString('en')} links at a time. Revoke one first.`,
  });
}

const selectShare = {
  name: 'share_get',
  text: `select ${shareColumns} from shares s where s.id = $1 and s.owner_id = $2`,
};

/**
 * Returns one of the caller's shares.
 * @throws AppError `not_found`
 */
async function getShare(ctx: Ctx, id: string): Promise<ShareView> {
  const [share] = isId('shr_', id) ? await ctx.sql<ShareView>(selectShare, [id, callerId(ctx)]) : [];
  if (!share) throw notFound();
  return share;
}

const from = 'shares s where s.owner_id = $1';
const listNewest = orderedList<ShareView>({
  name: 'shares_list',
  columns: shareColumns,
  from,
  valueCount: 1,
  key: { column: 's.created_at', kind: 'time', of: ({ createdAt }) => createdAt },
  id: { column: 's.id', of: ({ id }) => id },
});
const countAll = { name: 'shares_count', text: `select count(*) as total from ${from}` };

/**
 * Lists the caller's shares, newest first, including shares revoked in the last 90 days.
 * @throws AppError `invalid_request`
 */
export async function listShares(ctx: Ctx, input: unknown): Promise<Page<ShareView>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, listNewest, values, page), page, countAll, values);
}

const markRevoked = {
  name: 'share_revoke',
  text: `
    update shares set revoked_at = coalesce(revoked_at, $3), snapshot = null, snapshot_bytes = 0 where id = $1 and owner_id = $2 returning id`,
};

/**
 * Revokes a share: its link stops working immediately and its snapshot is erased. Revoking twice is a no-op.
 * @throws AppError `not_found`, `rate_limited`
 */
export async function revokeShare(ctx: Ctx, id: string): Promise<ShareView> {
  if (!isId('shr_', id)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    await countWrite(tx);
    const revoked = await tx.sql(markRevoked, [id, callerId(tx), tx.clock.now()]);
    if (revoked.length === 0) throw notFound();
  });
  return getShare(ctx, id);
}
