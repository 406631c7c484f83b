import pg from 'pg';
import { hashPassword } from '../../src/accounts/credentials/passwords.ts';

/** A fixed id, because the instances are configured with it before they start. */
export const moderatorId = 'usr_00000000-0000-7000-8000-000000000001';

const email = 'moderator@example.com';
const password = 'a long secret of the moderator';

/** Adds the account of the moderator and returns an access token, which outlives a run of the usual length. */
export async function addModerator(databaseUrl: string, serviceUrl: string): Promise<string> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     values ($1, $2, 'the-moderator', $3, 'free', now(), now())`,
    [moderatorId, email, await hashPassword(password)],
  );
  await db.end();
  const response = await fetch(`${serviceUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token)
    throw new Error(`the moderator could not sign in: ${response.status} ${JSON.stringify(body)}`);
  return body.access_token;
}
