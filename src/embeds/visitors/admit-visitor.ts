import { randomToken, sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { newId } from '../../core/ids.ts';
import { inLiveConversation } from '../../conversations/deleted.ts';
import type { Identity } from './identity.ts';
import { tokenLifeMs, visitorTokenPrefix } from './visitor.ts';

interface Arrival {
  embedId: string;
  identity: Identity | null;
  /** The browser's current token, if any. */
  known: { hash: Buffer; token: string } | null;
  /** Called before a new visitor is stored, and throws to reject. Known visitors were checked before. */
  requireHuman: () => Promise<void>;
}

export interface Admitted {
  token: string;
  expiresAt: Date;
  conversationId: string | null;
}

interface Row {
  id: string;
  conversationId: string | null;
}

const conversation = `case when ${inLiveConversation('v')} then v.conversation_id end as "conversationId"`;

// Without an identity, a token of an identified visitor does not count, because the visitor has signed out.
const findKnown = {
  name: 'embed_visitor_known',
  text: `
    select v.id, ${conversation} from embed_sessions s join embed_visitors v on v.id = s.visitor_id
    where s.token_hash = $1 and s.expires_at > $3 and v.embed_id = $2 and v.forgotten_at is null
      and v.external_id is not distinct from $4`,
};
// The browser shows the token of a customer who is not signed in any more.
const revokeOfOther = {
  name: 'embed_session_revoke',
  text: `
    delete from embed_sessions s using embed_visitors v
    where s.token_hash = $1 and v.id = s.visitor_id and v.embed_id = $2 and v.external_id is not null
      and v.external_id is distinct from $3`,
};
const findIdentified = {
  name: 'embed_visitor_identified',
  text: `select v.id, ${conversation} from embed_visitors v where v.embed_id = $1 and v.external_id = $2`,
};
const insert = {
  name: 'embed_visitor_insert',
  text: `
    insert into embed_visitors as v (id, embed_id, external_id, name, created_at, last_seen_at) values ($1, $2, $3, $4, $5, $5)
    on conflict (embed_id, external_id) where external_id is not null do update set name = excluded.name
    returning v.id, v.conversation_id as "conversationId"`,
};
// Locks the visitor before the session, as a message does, so that the two cannot deadlock.
const note = {
  name: 'embed_visitor_note',
  text: `
    with seen as (
      update embed_visitors v set last_seen_at = greatest(v.last_seen_at, $3), name = coalesce($4, v.name)
      from (select last_seen_at from embed_visitors where id = $1 for no key update) before
      where v.id = $1 returning before.last_seen_at
    ), counted as (
      insert into embed_days as d (embed_id, day, visitors, new_visitors)
      select $2, $5::date, 1, $6::integer from seen where $6 = 1 or (last_seen_at at time zone 'utc')::date < $5::date
      on conflict (embed_id, day) do update set visitors = d.visitors + 1, new_visitors = d.new_visitors + $6
    )
    insert into embed_sessions (token_hash, visitor_id, expires_at) select $7::bytea, $1, $8::timestamptz from seen
    on conflict (token_hash) do update set expires_at = excluded.expires_at`,
};

/**
 * Returns the token of a visitor, who is created if unknown. Counts the visit, and extends the token or issues a new
 * one.
 */
export async function admitVisitor(ctx: Ctx, { embedId, identity, known, requireHuman }: Arrival): Promise<Admitted> {
  const now = ctx.clock.now();
  const externalId = identity?.externalId ?? null;
  const [byToken] = known ? await ctx.sql<Row>(findKnown, [known.hash, embedId, now, externalId]) : [];
  if (known && !byToken) await ctx.sql(revokeOfOther, [known.hash, embedId, externalId]);
  const found = byToken ?? (externalId ? (await ctx.sql<Row>(findIdentified, [embedId, externalId]))[0] : undefined);
  if (!found) await requireHuman();
  const token = byToken && known ? known.token : visitorTokenPrefix + randomToken();
  const expiresAt = new Date(now.getTime() + tokenLifeMs);
  const conversationId = await inTransaction(ctx, async (tx) => {
    const id = newId('vis_');
    const name = identity?.name ?? null;
    const [visitor] = found ? [found] : await tx.sql<Row>(insert, [id, embedId, externalId, name, now]);
    if (!visitor) throw new Error('a visitor was not stored');
    const isNew = visitor.id === id;
    const day = now.toISOString().slice(0, 10);
    await tx.sql(note, [visitor.id, embedId, now, name, day, isNew ? 1 : 0, sha256(token), expiresAt]);
    return visitor.conversationId;
  });
  return { token, expiresAt, conversationId };
}
