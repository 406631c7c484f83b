import { AppError } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import type { ReportableKind, VisibilityAction } from '../../moderation/subjects.ts';
import type { SharedMessage } from './share.entity.ts';
import { getShared } from './view-shared.ts';

/**
 * Lets people report shares, by the link or its token, or by the share's id. A moderator sees reported shares and those
 * in feeds.
 */
export const reportableShare: ReportableKind = {
  type: 'share',
  async find(ctx, named) {
    const token = named.slice(named.lastIndexOf('/') + 1);
    const shared = await getShared(ctx, token).catch(nullIfMissing);
    if (shared) return { id: shared.id, authorId: shared.ownerId };
    const [share] = isId('shr_', named) ? await ctx.sql<{ authorId: string }>(find, [named]) : [];
    return share ? { id: named, ...share } : null;
  },
  async show(ctx, id) {
    const [share] = isId('shr_', id) ? await ctx.sql<FoundShare>(show, [id]) : [];
    if (!share) return null;
    const messages = (share.snapshot ?? []).map(({ content }) => content);
    return {
      authorId: share.ownerId,
      title: share.title ?? share.agentName,
      text: [share.note, ...messages].filter(Boolean).join('\n\n'),
      imageUrl: null,
      state: stateOf(share),
      marks: [],
    };
  },
  async change(tx, id, action) {
    return (await tx.sql(changes[action], [id, tx.clock.now()])).length > 0;
  },
};

const nullIfMissing = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
};

interface FoundShare {
  ownerId: string;
  title: string | null;
  note: string | null;
  agentName: string;
  snapshot: SharedMessage[] | null;
  held: boolean;
  removed: boolean;
}

function stateOf({ held, removed }: FoundShare): 'ok' | 'held' | 'removed' {
  if (removed) return 'removed';
  return held ? 'held' : 'ok';
}

const find = {
  name: 'share_to_report',
  text: `select owner_id as "authorId" from shares where id = $1 and revoked_at is null and removed_at is null`,
};
// A share outside of feeds is private: a moderator sees only one that was reported.
const show = {
  name: 'share_to_moderate',
  text: `
    select s.owner_id as "ownerId", s.title, s.note, s.agent_name as "agentName", s.snapshot, s.held,
      s.removed_at is not null as removed
    from shares s where s.id = $1 and s.revoked_at is null and (s.in_feed or exists (
      select from moderation_reports mr where mr.subject_type = 'share' and mr.subject_id = s.id))`,
};

const changes: Readonly<Record<VisibilityAction, { name: string; text: string }>> = {
  hold: {
    name: 'share_hold',
    text: `update shares set held = true where id = $1 and not held and $2::timestamptz is not null returning 1`,
  },
  remove: {
    name: 'share_remove',
    text: `update shares set removed_at = $2 where id = $1 and removed_at is null returning 1`,
  },
  restore: {
    name: 'share_restore',
    text: `
      update shares set removed_at = null, held = false
      where id = $1 and (held or removed_at is not null) and $2::timestamptz is not null returning 1`,
  },
};
