import { Migration } from '@mikro-orm/migrations';

/** The recurring tasks whose kinds have new names are enqueued again by the schedule; those under the old names never run. */
export class Migration0031TaskKinds extends Migration {
  override up(): void {
    // oxlint-disable-next-line language/plain-words -- Names that rows of released versions contain.
    this.addSql(`
      delete from tasks
      where kind in ('house.purge-expired', 'house.re-encrypt', 'agent.fold-activity', 'agent.cool-trending')
    `);
  }
}
