import { defineEntity, p } from '@mikro-orm/postgresql';

const SocialRecountSchema = defineEntity({
  name: 'SocialRecount',
  tableName: 'social_recounts',
  properties: {
    /** Always 1: the table has a single row. */
    id: p.smallint().primary().autoincrement(false),
    counters: p.integer(),
    drifted: p.integer(),
    finishedAt: p.datetime(3),
  },
});

/** The result of the last recount of the counters. */
export class SocialRecount extends SocialRecountSchema.class {}
SocialRecountSchema.setClass(SocialRecount);
