import { Migration } from '@mikro-orm/migrations';

/** Gives webhooks a description to tell them apart. */
export class Migration0055WebhookDescriptions extends Migration {
  override up(): void {
    this.addSql(`alter table webhooks add column description text`);
  }
}
