import { defineEntity, p } from '@mikro-orm/postgresql';

const StudioSumsSchema = defineEntity({
  name: 'StudioSums',
  tableName: 'studio_sums',
  properties: {
    id: p.integer().primary().autoincrement(false).default(1),
    /** Monday of the first week that is not aggregated. */
    summedUntil: p.date(),
  },
});

/** The progress of the weekly aggregation; the table has a single row. */
export class StudioSums extends StudioSumsSchema.class {}
StudioSumsSchema.setClass(StudioSums);
