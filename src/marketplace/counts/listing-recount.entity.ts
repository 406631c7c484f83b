import { defineEntity, p } from '@mikro-orm/postgresql';

const ListingRecountSchema = defineEntity({
  name: 'ListingRecount',
  tableName: 'listing_recounts',
  properties: {
    /** Always 1: the table has a single row. */
    id: p.smallint().primary().autoincrement(false),
    counters: p.integer(),
    drifted: p.integer(),
    finishedAt: p.datetime(3),
  },
});

/** The result of the last recount of reviews. */
export class ListingRecount extends ListingRecountSchema.class {}
ListingRecountSchema.setClass(ListingRecount);
