import { Migration } from '@mikro-orm/migrations';

/**
 * The events that no dispatcher has claimed yet. Marking the event itself would write it and an entry of each of its indexes a
 * second time; a row here is only a number. An unmarked event that is not in the queue was written by an
 * instance of the previous release, whose dispatchers find unmarked events.
 */
export class Migration0014OutboxQueue extends Migration {
  override up(): void {
    this.addSql(`
      create table outbox_queue (seq bigint primary key)
        with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)
    `);
  }
}
