import type pg from 'pg';
import { sha256 } from '../../src/core/crypto.ts';

/** A user, an agent and a share that everyone may see, under ids that are the same in every database. */
export const publicFigure = {
  userId: 'usr_00000000-0000-7000-8000-00000000f19e',
  username: 'public-figure',
  agentId: '00000000-0000-7000-8000-00000000f19e',
  shareToken: 'F'.repeat(43),
} as const;

/** Makes them unless they exist. */
export async function seedPublicFigure(db: pg.Pool): Promise<void> {
  const { userId, username, agentId, shareToken } = publicFigure;
  await db.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at)
     values ($1, $2 || '@example.com', $2, '', now(), now()) on conflict do nothing`,
    [userId, username],
  );
  await db.query(
    `insert into agents (id, owner_id, name, instructions, model, is_public, greeting_message, created_at, updated_at)
     values ($1, $2, 'Open', 'Talk.', 'default', true, 'Hello.', now(), now()) on conflict do nothing`,
    [agentId, userId],
  );
  await db.query(
    `insert into shares (id, owner_id, type, agent_id, token_hash, agent_name, anonymous, in_feed, indexable, message_count, created_at)
     values ('shr_00000000-0000-7000-8000-00000000f19e', $1, 'agent', $2, $3, 'Open', false, false, false, 0, now())
     on conflict do nothing`,
    [userId, agentId, sha256(shareToken)],
  );
}
