import { Migration } from '@mikro-orm/migrations';

/** Gives webhooks a description, by which an owner tells them apart. */
export class Migration0055WebhookDescriptions extends Migration {
  override up(): void {
    this.addSql(`alter table webhooks add column description text`);
  }
}
