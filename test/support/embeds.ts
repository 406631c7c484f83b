import { SignJWT } from 'jose';
import type { TestApp } from './app.ts';
import { type Account, type Answer, expectStatus } from './client.ts';

export const site = 'https://shop.example';

/** Creates an account with an agent and an embed of it. Returns both as REST does. */
export async function createEmbed(app: TestApp, fields: object = {}, owner?: Account) {
  const account = owner ?? (await app.signUp({ plan: 'creator' }));
  const agent = await app.createAgent(account.token, { name: 'Ada', greeting_message: 'Hello, I am Ada.' });
  const body = { agent_id: agent.id, name: 'Shop', allowed_origins: [site], ...fields };
  const embed = expectStatus(await app.call('POST', '/v1/embeds', { as: account.token, body }), 201).body;
  return { owner: account, agentId: agent.id, id: embed.id as string, embed };
}

export const startVisit = (app: TestApp, embedId: string, fields: object = {}): Promise<Answer> =>
  app.call('POST', '/v1/embed/sessions', { body: { embed_id: embedId, parent_origin: site, ...fields } });

/** Starts a session of a new visitor and returns its token. */
export const newVisitor = async (app: TestApp, embedId: string, fields: object = {}): Promise<string> =>
  expectStatus(await startVisit(app, embedId, fields), 200).body.visitor_token;

export const say = (app: TestApp, token: string, content: string): Promise<Answer> =>
  app.call('POST', '/v1/embed/messages', { as: token, body: { content } });

/** Signs an identity token as a website's server does. `claims` override the defaults. */
export const identityToken = (
  secret: string,
  embedId: string,
  claims: Record<string, unknown> = {},
  header: { alg: string } = { alg: 'HS256' },
): Promise<string> => {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  return new SignJWT({ aud: embedId, sub: 'customer-7', exp, ...claims })
    .setProtectedHeader(header)
    .sign(new TextEncoder().encode(secret));
};
