import { Migration } from '@mikro-orm/migrations';

/**
 * The order in which readers receive the events of an account. A transaction can have a lower id than the one for whose
 * lock it waits, so the id alone puts the events of one object out of order. The upper limit of the snapshot when the
 * event is written, which is after that wait, grows with each event of an object. The function takes a new snapshot
 * because it is volatile; an expression would use that of the statement, which may have begun before the wait.
 */
export class Migration0215EventOrder extends Migration {
  override up(): void {
    this.addSql(`
      create function event_order() returns xid8 language plpgsql volatile as $$
      begin
        return greatest(pg_current_xact_id(), pg_snapshot_xmax(pg_current_snapshot()));
      end $$;
      alter table outbox_events add column commit_order xid8;
      alter table outbox_events alter column commit_order set default event_order();
      create index outbox_events_order_idx on outbox_events
        (account_id, (case when xid = '0' then xid else coalesce(commit_order, xid) end), seq);
      drop index outbox_events_account_idx`);
  }
}
