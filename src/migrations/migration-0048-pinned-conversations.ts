import { Migration } from '@mikro-orm/migrations';

/**
 * Conversations that are pinned or archived. The indexes hold only those, so a message in any other conversation writes none
 * of them.
 */
export class Migration0048PinnedConversations extends Migration {
  override up(): void {
    this.addSql(`alter table conversations add column pinned_at timestamptz(3), add column archived_at timestamptz(3)`);
    for (const state of ['pinned', 'archived']) {
      this.addSql(`
        create index conversations_${state}_idx on conversations (user_id, updated_at desc, id desc)
        where ${state}_at is not null`);
    }
  }
}
