import { startTestApp, type TestApp } from './app.ts';
import type { Account } from './client.ts';

/** Starts another instance on the database of `app`, on which the account is a moderator. */
export const withModerator = (app: TestApp, { id }: Account, env: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({ databaseUrl: app.databaseUrl, env: { DATA_DIR: app.dataDir, MODERATORS: id, ...env } });

/** Makes reports of accounts count for automatic holds: verifies their e-mail address and makes them eight days old. */
export async function establish(app: TestApp, accounts: readonly Account[]): Promise<void> {
  await app.db.query(
    `update users set email_verified = true, created_at = created_at - interval '8 days' where id = any ($1)`,
    [accounts.map(({ id }) => id)],
  );
}
