import { blockSubject, isOpenTo } from '../../accounts/blocks/blocks.ts';
import type { PublicProfile } from '../../accounts/public-profiles.ts';
import { isUsableBy } from '../../agents/agents.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { noteChange } from '../counters/counters.ts';
import { isVisible } from '../profiles.ts';
import type { ShareType } from '../social.input.ts';
import { isLive } from './live.ts';
import type { SharedMessage } from './share.entity.ts';

/** The content behind the link of a share. */
export interface SharedView {
  id: string;
  type: ShareType;
  ownerId: string;
  title: string | null;
  note: string | null;
  agentId: string;
  /** Name of the agent at the time of sharing. */
  agentName: string;
  /** Whether the caller may use the agent. */
  isAgentShown: boolean;
  messages: SharedMessage[];
  /** The owner; null for an anonymous share and for an owner whom the caller may not see. */
  sharedBy: PublicProfile | null;
  indexable: boolean;
  createdAt: Date;
}

type Row = Omit<SharedView, 'messages' | 'sharedBy'> & {
  snapshot: SharedMessage[] | null;
  isNamed: boolean;
  username: string;
  displayName: string | null;
  avatarUrl: string | null;
};

const select = (snapshot: string): string => `
  select s.id, s.type, s.owner_id as "ownerId", s.title, s.note, s.agent_id as "agentId", s.agent_name as "agentName",
    exists (select from agents a where a.id = s.agent_id and ${isUsableBy('$2')} and ${isOpenTo('a.owner_id', '$2')}) as "isAgentShown",
    ${snapshot} as snapshot, s.indexable, s.created_at as "createdAt", u.username, u.display_name as "displayName", u.avatar_url as "avatarUrl",
    not s.anonymous and ${isVisible('u', 'p', '$2')} as "isNamed"
  from shares s join users u on u.id = s.owner_id left join profiles p on p.user_id = u.id
  where ${isLive('s')} and u.deletion_requested_at is null and ${isOpenTo('s.owner_id', '$2')}`;
const statements = (name: string, snapshot: string) => ({
  byToken: { name: `${name}_by_token`, text: `${select(snapshot)} and s.token_hash = $1` },
  // Only shares in feeds can be opened by id. Such a share names its owner, so it is visible only when the owner's
  // profile is.
  byId: {
    name: `${name}_by_id`,
    text: `${select(snapshot)} and s.id = $1 and s.in_feed and ${isVisible('u', 'p', '$2')}`,
  },
});
const whole = statements('shared', 's.snapshot');
const withoutMessages = statements('shared_summary', 'null::jsonb');

const tokenForm = /^[\w-]{43}$/;

/**
 * Returns the content of a share, by the token of its link or, for a share in feeds, by its id.
 * @throws AppError `not_found`, also for a revoked or removed share, if its conversation, agent or owner was deleted,
 * and for a shared agent that the caller may not use, such as one that is not public any more or was removed
 */
export const getShared = (ctx: Ctx, token: string): Promise<SharedView> => findShared(ctx, token, whole);

/**
 * Returns the content of a share without its messages, which may be long.
 * @throws AppError `not_found` like `getShared`
 */
export const getSharedSummary = (ctx: Ctx, token: string): Promise<Omit<SharedView, 'messages'>> =>
  findShared(ctx, token, withoutMessages);

async function findShared(ctx: Ctx, token: string, queries: typeof whole): Promise<SharedView> {
  const row = await findRow(ctx, token, queries);
  if (!row || (row.type === 'agent' && !row.isAgentShown)) throw notFound();
  const { snapshot, isNamed, username, displayName, avatarUrl, ...view } = row;
  const sharedBy = isNamed ? { id: row.ownerId, username, displayName, avatarUrl } : null;
  return { ...view, messages: snapshot ?? [], sharedBy };
}

async function findRow(ctx: Ctx, token: string, { byToken, byId }: typeof whole): Promise<Row | undefined> {
  const viewer = blockSubject(ctx);
  if (isId('shr_', token)) return (await ctx.sql<Row>(byId, [token, viewer]))[0];
  return tokenForm.test(token) ? (await ctx.sql<Row>(byToken, [sha256(token), viewer]))[0] : undefined;
}

/**
 * Returns the content of a share and counts a view, unless the caller is the owner.
 * @throws AppError `not_found` like `getShared`
 */
export async function viewShared(ctx: Ctx, token: string): Promise<SharedView> {
  const shared = await getShared(ctx, token);
  if (blockSubject(ctx) !== shared.ownerId) await noteChange(ctx, 'view', shared.id, 1);
  return shared;
}

export interface SharePreview {
  id: string;
  type: ShareType;
  title: string | null;
  note: string | null;
  messageCount: number;
  createdAt: Date;
}

const selectPreviews = {
  name: 'share_previews',
  text: `
    select id, type, title, note, message_count as "messageCount", created_at as "createdAt" from shares where id = any ($1)`,
};

/** Returns previews of shares for feed items. Performs no authorization check. */
export const sharePreviews = (ctx: Ctx, ids: readonly string[]): Promise<SharePreview[]> =>
  ctx.sql<SharePreview>(selectPreviews, [ids]);
