import { Migration } from '@mikro-orm/migrations';

/** When a review that moderators hid was deleted by its author: its row keeps the decision. */
export class Migration0208DeletedReviews extends Migration {
  override up(): void {
    this.addSql(`alter table reviews add column deleted_at timestamptz(3)`);
  }
}
