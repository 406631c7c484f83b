import { Migration } from '@mikro-orm/migrations';

/**
 * Creates the table of the payment simulator, which created one itself at startup and so failed under a role that may not
 * change the schema. Customers of the earlier table are copied, so a development database keeps its subscriptions.
 */
export class Migration0029PaymentSimulator extends Migration {
  override up(): void {
    this.addSql(`
      create table simulated_customers (
        id text collate "C" primary key,
        state jsonb not null,
        due bigint,
        unsent boolean not null default false
      );
      create index simulated_customers_due_idx on simulated_customers (due) where due is not null;
      create index simulated_customers_unsent_idx on simulated_customers (id) where unsent`);
    this.addSql(`
      do $$ begin
        if to_regclass('standin_processor') is not null then
          insert into simulated_customers (id, state, due, unsent) select id, state, due, unsent from standin_processor;
        end if;
      end $$`);
  }
}
