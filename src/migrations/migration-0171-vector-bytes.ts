import { Migration } from '@mikro-orm/migrations';

/** Stores vectors only with one byte for each dimension. Unused columns are removed once no release reads them. */
export class Migration0171VectorBytes extends Migration {
  override up(): void {
    this.addSql(`alter table chunk_vectors alter column vector drop not null, alter column error drop not null`);
  }
}
