import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const kinds = {
  chat_server: { guild_id: 'G1', channel_ids: ['C1'] },
  chat_messenger: {},
  chat_workspace: { workspace_id: 'T1', channel_ids: ['C1'] },
};

test('bots reply on the development surface after a restart as before it', async () => {
  const database = await createTestDatabase();
  const env = { AUTH_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEYS: randomBytes(32).toString('hex') };
  const askAll = async (app: TestApp, ids: readonly string[]) => {
    const paths = ids.map((id) => `/dev/platforms/${id}/messages`);
    const body = { author: 'Grace', text: 'Hello there', mention: true };
    for (const path of paths) expectStatus(await app.call('POST', path, { body }), 201);
    for (const path of paths) {
      const isAnswered = async () => {
        const messages = expectStatus(await app.call('GET', path), 200).body.data as { from_bot: boolean }[];
        const question = messages.findIndex((message) => !message.from_bot);
        return messages.slice(question).some((message) => message.from_bot);
      };
      await eventually(isAnswered, { what: `a reply at ${path}` });
    }
  };
  const first = await startTestApp({ env, databaseUrl: database.url });
  const ids: string[] = [];
  try {
    const { token: as } = await first.signUp();
    const agent_id = (await first.createAgent(as)).id;
    for (const [kind, place] of Object.entries(kinds)) {
      const body = { agent_id, bot_token: `bot-of-${kind}`, ...place };
      ids.push(expectStatus(await first.call('POST', `/v1/integrations/${kind}`, { as, body }), 201).body.id);
    }
    await askAll(first, ids);
  } finally {
    await first.close();
  }
  const second = await startTestApp({ env, databaseUrl: database.url });
  try {
    await askAll(second, ids);
    expect(ids).toHaveLength(3);
  } finally {
    await second.close();
    await database.drop();
  }
});
