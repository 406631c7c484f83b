import { createHash } from 'node:crypto';
import pg from 'pg';
import { newApiKeySecret } from '../../../src/api-keys/api-key-secret.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Bench } from '../row.ts';

/** A user of the largest plan with an API key of every scope, on a database of its own. */
export interface Seeded {
  databaseUrl: string;
  db: pg.Pool;
  userId: string;
  apiKey: string;
  /** What sends the key. */
  headers: { authorization: string };
  /** Makes agents and answers their ids. */
  addAgents(count: number): Promise<string[]>;
  /** Makes conversations with an agent and answers their ids. */
  addConversations(agentId: string, count: number): Promise<string[]>;
}

const scopes = [
  'agents:write',
  'conversations:write',
  'knowledge:write',
  'integrations:write',
  'webhooks:write',
  'account:write',
  'voice:use',
];

export async function seed(bench: Bench): Promise<Seeded> {
  const databaseUrl = await bench.createDatabase();
  const db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  db.on('error', (error) => bench.say(`lost a connection: ${error.message}`));
  bench.defer(() => db.end());
  const userId = newId('user');
  const apiKey = newApiKeySecret();
  const now = new Date();
  await db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     values ($1, 'bench@example.com', 'bench', 'none', 'creator', $2, $2)`,
    [userId, now],
  );
  await db.query(
    `insert into api_keys (id, user_id, name, hash, key_hint, scopes, created_at, last_used_at)
     values ($1, $2, 'bench', $3, 'ak_...', $4, $5, '2100-01-01')`,
    [newId('apiKey'), userId, createHash('sha256').update(apiKey).digest(), scopes, now],
  );
  return {
    databaseUrl,
    db,
    userId,
    apiKey,
    headers: { authorization: `Bearer ${apiKey}` },
    async addAgents(count) {
      const ids = Array.from({ length: count }, () => newId('agent'));
      await db.query(
        `insert into agents (id, owner_id, name, description, instructions, model, is_public, category, greeting_message,
           event_sequence, created_at, updated_at)
         select id, $2, 'Agent ' || n, $3, $4, 'default', n % 2 = 0, 'tutor', 'Hello.', 1, $5, $5
         from unnest($1::text[]) with ordinality as t (id, n)`,
        [ids, userId, 'Explains things patiently. '.repeat(4), 'You are a patient tutor. '.repeat(40), now],
      );
      await db.query('vacuum analyze agents');
      return ids;
    },
    async addConversations(agentId, count) {
      const ids = Array.from({ length: count }, () => newId('conversation'));
      await db.query(
        `insert into conversations (id, user_id, agent_id, title, created_at, updated_at)
         select id, $2, $3, 'Bench', $4, $4 from unnest($1::text[]) as t (id)`,
        [ids, userId, agentId, now],
      );
      return ids;
    },
  };
}
