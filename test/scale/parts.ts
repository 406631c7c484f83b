import type pg from 'pg';
import { encrypt, namedKey } from '../../src/core/crypto.ts';
import { messagesOf } from '../seed/messages-of.ts';
import { addUsers, groupOf, nothing, type SeedPart, textOf, uuidOf } from '../seed/part.ts';

/** Keys with which the secrets are encrypted, one after the other. */
export const encryptionKeys = [namedKey('the first key of npm run scale'), namedKey('the second key of npm run scale')];

const accountOf = (n: string): string => `'usr_' || ${uuidOf('account user', n)}`;
const accountsOfAgent = 100;
const agentOf = (n: string): string => uuidOf('account agent', `(${n} - 1) / ${accountsOfAgent} + 1`);

const accounts: SeedPart = {
  name: 'accounts',
  what: 'accounts, each with a customer, a webhook, a profile and a document',
  volume: 100_000,
  batchSize: 1_000,
  tables: ['users', 'billing_accounts', 'webhooks', 'profiles', 'documents', 'chunks', 'agents'],
  prepare: nothing,
  async write(db, from, through) {
    await addUsers(db, 'account', from, through);
    const rows = async (text: string) => void (await db.query(text, [from, through]));
    await db.query(
      `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at)
       select ${uuidOf('account agent', 'n')}, ${accountOf(`(n - 1) * ${accountsOfAgent} + 1`)}, 'Helper', 'Be brief.', 'default', now(), now()
       from generate_series($1::bigint, $2::bigint) n on conflict do nothing`,
      [groupOf(from, accountsOfAgent), groupOf(through, accountsOfAgent)],
    );
    await rows(
      `insert into billing_accounts (user_id, customer_id, updated_at) select ${accountOf('n')}, 'cus_' || n, now() from ${given}`,
    );
    await rows(
      `insert into profiles (user_id, recount_due) select ${accountOf('n')}, true from ${given}
       on conflict (user_id) do update set recount_due = true`,
    );
    await rows(
      `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, chunks_total, chunks_done,
         created_at, started_at, completed_at)
       select 'doc_' || ${uuidOf('account document', 'n')}, ${agentOf('n')}, ${accountOf('n')}, 'notes.txt', 'txt', 1000, 'ready', 1, 1,
         now(), now(), now() from ${given}`,
    );
    await rows(
      `insert into chunks (id, document_id, agent_id, position, place, content, language)
       select 'chk_' || ${uuidOf('account chunk', 'n')}, 'doc_' || ${uuidOf('account document', 'n')}, ${agentOf('n')}, 0, '',
         left(${textOf('n', 6)}, 200), 'simple' from ${given}`,
    );
    await addWebhooks(db, from, through);
  },
};

const given = 'generate_series($1::bigint, $2::bigint) n';

async function addWebhooks(db: pg.ClientBase, from: number, through: number): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select 'wh_' || ${uuidOf('account webhook', 'n')} as id from ${given} order by n`,
    [from, through],
  );
  const secrets = rows.map(({ id }) => encrypt(encryptionKeys, `whsec_${id}`, `webhooks.secret ${id}`));
  await db.query(
    `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
     select id, ${accountOf('$1::bigint + i - 1')}, 'https://hooks.example.com/' || i, '{message.created}', secret, now(), now()
     from unnest($2::text[], $3::text[]) with ordinality as w (id, secret, i)`,
    [from, rows.map(({ id }) => id), secrets],
  );
}

const expired: SeedPart = {
  name: 'expired',
  what: 'sessions that have expired',
  volume: 100_000,
  batchSize: 20_000,
  tables: ['sessions', 'refresh_tokens'],
  prepare: nothing,
  async write(db, from, through) {
    await addUsers(db, 'account', from, through);
    await db.query(
      `with s as (
         insert into sessions (id, user_id, created_at, last_used_at, expires_at)
         select 'ses_' || ${uuidOf('expired session', 'n')}, ${accountOf('n')}, now() - interval '90 days', now() - interval '60 days',
           now() - n % 86400 * interval '1 second' from ${given} returning id, expires_at)
       insert into refresh_tokens (hash, session_id, created_at, expires_at)
       select sha256(id::bytea), id, now() - interval '90 days', expires_at from s`,
      [from, through],
    );
  },
};

const activity: SeedPart = {
  name: 'activity',
  what: 'messages to count for agents',
  volume: 100_000,
  batchSize: 20_000,
  tables: ['agent_activity'],
  prepare: nothing,
  async write(db, from, through) {
    await db.query(
      `insert into agent_activity (agent_id, user_id, messages, created_at)
       select a.id, a.owner_id, 1, now() - n % 168 * interval '1 hour'
       from ${given} join lateral (select ${agentOf('n')} as id) wanted on true join agents a on a.id = wanted.id`,
      [from, through],
    );
  },
};

const messages = messagesOf({
  name: 'messages',
  what: 'messages of accounts with a thousand each',
  volume: 1_000_000,
  userKind: 'talker',
  rowKinds: ['conversation', 'message'],
  conversationsOfUser: 10,
});

const ofOneAccount = messagesOf({
  name: 'messages of one account',
  what: 'messages of one account',
  volume: 1_000_000,
  userKind: 'heavy',
  rowKinds: ['heavy conversation', 'heavy message'],
  conversationsOfUser: 1_000_000_000,
});

const ofLeavers = messagesOf({
  name: 'messages of leavers',
  what: 'messages of accounts to purge',
  volume: 20_000,
  userKind: 'leaver',
  rowKinds: ['leaver conversation', 'leaver message'],
  conversationsOfUser: 10,
});

export const scaleParts = { accounts, expired, activity, messages, ofOneAccount, ofLeavers };

export interface ScaleSize {
  accounts: number;
  messages: number;
  /** Number of messages of the largest account; by default half of all. */
  ofOne?: number;
}

export const messagesOfOne = ({ messages: count, ofOne }: ScaleSize): number => ofOne ?? Math.round(count / 2);

/** Returns the number of rows of each part. */
export const volumesOf = (size: ScaleSize): Map<SeedPart, number> =>
  new Map([
    [accounts, size.accounts],
    [expired, size.accounts],
    [activity, size.accounts],
    [ofLeavers, Math.min(20_000, Math.round(size.messages / 20))],
    [ofOneAccount, messagesOfOne(size)],
    [messages, size.messages - messagesOfOne(size)],
  ]);
