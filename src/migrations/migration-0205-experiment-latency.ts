import { Migration } from '@mikro-orm/migrations';

/** Histograms of the latencies of each variant of an experiment. Null until the first reply after the upgrade. */
export class Migration0205ExperimentLatency extends Migration {
  override up(): void {
    this.addSql(`alter table experiment_sums add column first_words integer[], add column reply_times integer[]`);
  }
}
