import { Migration } from '@mikro-orm/migrations';

/** Moderators list the cases with an appeal that waits, longest first. */
export class Migration0170AppealedCases extends Migration {
  override up(): void {
    this.addSql(
      `create index moderation_cases_appealed_idx on moderation_cases (appealed_at, id desc) where appealed_at is not null`,
    );
  }
}
