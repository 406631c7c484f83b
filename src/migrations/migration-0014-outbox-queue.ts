import { Migration } from '@mikro-orm/migrations';

/**
 * Which events no dispatcher has taken yet. To mark the event itself writes it and an entry of each of its indexes a
 * second time; a row here is a number that goes. An event that is not marked and stands in no queue is one of an
 * instance of before; those of its dispatchers that are left see what is not marked.
 */
export class Migration0014OutboxQueue extends Migration {
  override up(): void {
    this.addSql(`
      create table outbox_queue (seq bigint primary key)
        with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)
    `);
  }
}
