import { defineEntity, p } from '@mikro-orm/postgresql';

const SocialRecountSchema = defineEntity({
  name: 'SocialRecount',
  tableName: 'social_recounts',
  properties: {
    /** Always 1. */
    id: p.smallint().primary().autoincrement(false),
    counters: p.integer(),
    drifted: p.integer(),
    finishedAt: p.datetime(3),
  },
});

/** What the last recount of the counters found. */
export class SocialRecount extends SocialRecountSchema.class {}
SocialRecountSchema.setClass(SocialRecount);
