import { Migration } from '@mikro-orm/migrations';

/** A secret that was replaced signs for its 24 hours even when its successor is replaced within them. */
export class Migration0015OlderSecrets extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhooks add column older_secret text, add column older_secret_is_generated boolean,
        add column older_secret_expires_at timestamptz(3)
    `);
  }
}
