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

/**
 * A pending change of a listing's counts. The transaction that causes it appends a row and a job aggregates them, so
 * that the row of a popular listing is not a hot spot.
 */
export class ListingNote extends ListingNoteSchema.class {}
ListingNoteSchema.setClass(ListingNote);
