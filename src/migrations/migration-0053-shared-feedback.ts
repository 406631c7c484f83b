import { Migration } from '@mikro-orm/migrations';

/** Feedback that a person shares with the owner of the agent, and pages of it in a data export. */
export class Migration0053SharedFeedback extends Migration {
  override up(): void {
    this.addSql(`
      alter table message_feedback add column shared_at timestamptz(3),
        add column shared_agent_id text collate "C" references agents on delete cascade`);
    this.addSql(`
      create index message_feedback_shared_idx on message_feedback (shared_agent_id, shared_at desc, message_id desc);
      create index message_feedback_created_idx on message_feedback (user_id, created_at, message_id);
      drop index message_feedback_user_idx`);
  }
}
