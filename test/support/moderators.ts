import { startTestApp, type TestApp } from './app.ts';
import { hashPassword } from '../../src/accounts/credentials/passwords.ts';
import type { Account } from './client.ts';

/** Starts another instance on the database of `app`, on which the account is a moderator. */
export const withModerator = (app: TestApp, { id }: Account, env: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({ databaseUrl: app.databaseUrl, env: { DATA_DIR: app.dataDir, MODERATORS: id, ...env } });

const credentials = { email: 'moderator@example.com', password: 'correct horse battery' };

/** Adds an account with an id that the service was started with as that of a moderator. */
export async function addModerator(app: TestApp, id: string): Promise<void> {
  await app.db.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at) values ($1, $2, $1, $3, now(), now())`,
    [id, credentials.email, await hashPassword(credentials.password)],
  );
}

/** Signs in with the account that `addModerator` added. */
export async function signInModerator(app: TestApp): Promise<Account> {
  const { body } = await app.call('POST', '/v1/auth/login', { body: credentials });
  return { id: body.user.id, ...credentials, token: body.access_token };
}

/** Makes reports of accounts count for automatic holds: verifies their e-mail address and makes them eight days old. */
export async function establish(app: TestApp, accounts: readonly Account[]): Promise<void> {
  await app.db.query(
    `update users set email_verified = true, created_at = created_at - interval '8 days' where id = any ($1)`,
    [accounts.map(({ id }) => id)],
  );
}
