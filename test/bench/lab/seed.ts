import { createHash } from 'node:crypto';
import pg from 'pg';
import { newApiKeySecret } from '../../../src/api-keys/api-key-secret.ts';
import { newId, newUuid } from '../../../src/core/ids.ts';
import type { Bench } from '../row.ts';

/** A user of the largest plan with an API key of every scope. */
export interface Tenant {
  userId: string;
  apiKey: string;
  /** Headers that carry the key. */
  headers: { authorization: string };
}

/** Creates one on an empty database. */
export interface Seeded extends Tenant {
  databaseUrl: string;
  db: pg.Pool;
  addUser(): Promise<Tenant>;
  /** Creates agents, every other one public or all. Returns their ids. */
  addAgents(count: number, options?: { isPublic?: boolean }): Promise<string[]>;
  /** Creates conversations with an agent, of the user or another one. Returns their ids. */
  addConversations(agentId: string, count: number, userId?: string): Promise<string[]>;
}

const scopes = [
  'agents:write',
  'conversations:write',
  'rooms:write',
  'knowledge:write',
  'images:write',
  'integrations:write',
  'webhooks:write',
  'embeds:write',
  'studio:write',
  'account:write',
  'voice:use',
];

export async function seed(bench: Bench): Promise<Seeded> {
  const databaseUrl = await bench.createDatabase();
  const db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  db.on('error', (error) => bench.say(`lost a connection: ${error.message}`));
  bench.defer(() => db.end());
  const now = new Date();
  const tenant = await addUser(db, 'bench');
  let users = 1;
  return {
    databaseUrl,
    db,
    ...tenant,
    addUser: () => addUser(db, `bench${++users}`),
    async addAgents(count, { isPublic = false } = {}) {
      const ids = Array.from({ length: count }, () => newUuid());
      await db.query(
        `insert into agents (id, owner_id, name, description, instructions, model, is_public, category, greeting_message,
           event_sequence, created_at, updated_at)
         select id, $2, 'Agent ' || n, $3, $4, 'default', $6 or n % 2 = 0, 'tutor', 'Hello.', 1, $5, $5
         from unnest($1::text[]) with ordinality as t (id, n)`,
        [
          ids,
          tenant.userId,
          'Explains things patiently. '.repeat(4),
          'You are a patient tutor. '.repeat(40),
          now,
          isPublic,
        ],
      );
      await db.query('vacuum analyze agents');
      return ids;
    },
    async addConversations(agentId, count, userId = tenant.userId) {
      const ids = Array.from({ length: count }, () => newId('conv_'));
      await db.query(
        `insert into conversations (id, user_id, agent_id, title, created_at, updated_at)
         select id, $2, $3, 'Bench', $4, $4 from unnest($1::text[]) as t (id)`,
        [ids, userId, agentId, now],
      );
      return ids;
    },
  };
}

async function addUser(db: pg.Pool, name: string): Promise<Tenant> {
  const userId = newId('usr_');
  const apiKey = newApiKeySecret();
  const now = new Date();
  await db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     values ($1, $2, $3, 'none', 'creator', $4, $4)`,
    [userId, `${name}@example.com`, name, now],
  );
  await db.query(
    `insert into api_keys (id, user_id, name, hash, key_hint, scopes, created_at, last_used_at)
     values ($1, $2, 'bench', $3, 'ak_...', $4, $5, '2100-01-01')`,
    [newId('key_'), userId, createHash('sha256').update(apiKey).digest(), scopes, now],
  );
  return { userId, apiKey, headers: { authorization: `Bearer ${apiKey}` } };
}
