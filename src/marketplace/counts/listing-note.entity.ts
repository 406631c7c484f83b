import { defineEntity, p } from '@mikro-orm/postgresql';

const ListingNoteSchema = defineEntity({
  name: 'ListingNote',
  tableName: 'listing_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    agentId: p.text(),
    views: p.integer().default(0),
    reviews: p.integer().default(0),
    ratings: p.integer().default(0),
    ratingSum: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/** Changes of a listing's counts: appended by their cause and aggregated by a job, so that a popular listing's row is not a hot spot. */
export class ListingNote extends ListingNoteSchema.class {}
ListingNoteSchema.setClass(ListingNote);
