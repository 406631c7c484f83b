import { Migration } from '@mikro-orm/migrations';

/**
 * Another rating takes back the share of the one that it replaces, also when an instance of an earlier release writes it, which
 * runs during an upgrade and knows nothing of shares.
 */
export class Migration0100WithdrawnShares extends Migration {
  override up(): void {
    this.addSql(`
      create function withdraw_share() returns trigger language plpgsql as $$
      begin
        new.shared_at := null;
        new.shared_agent_id := null;
        return new;
      end $$`);
    this.addSql(`
      create trigger message_feedback_replaced before update on message_feedback for each row
      when (new.created_at is distinct from old.created_at and new.shared_at = old.shared_at)
      execute function withdraw_share()`);
  }
}
