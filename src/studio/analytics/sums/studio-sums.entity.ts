import { defineEntity, p } from '@mikro-orm/postgresql';

const StudioSumsSchema = defineEntity({
  name: 'StudioSums',
  tableName: 'studio_sums',
  properties: {
    id: p.integer().primary().autoincrement(false).default(1),
    /** A Monday: people of earlier days are summed. */
    summedUntil: p.date(),
  },
});

/** How far the people of agents are summed: one row. */
export class StudioSums extends StudioSumsSchema.class {}
StudioSumsSchema.setClass(StudioSums);
