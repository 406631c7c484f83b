import { Migration } from '@mikro-orm/migrations';

/** A vector is kept in one byte a dimension alone. The columns that are no longer written go when no release reads them. */
export class Migration0171VectorBytes extends Migration {
  override up(): void {
    this.addSql(`alter table chunk_vectors alter column vector drop not null, alter column error drop not null`);
  }
}
