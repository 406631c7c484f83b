import { defineEntity, p } from '@mikro-orm/postgresql';

const StudioNoteSchema = defineEntity({
  name: 'StudioNote',
  tableName: 'studio_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** An attempt to reply that ended. */
    generationId: p.text().strictNullable(),
    /** A turn of a room that ended. */
    turnId: p.text().strictNullable(),
    /** A reply that was rated. */
    messageId: p.text().strictNullable(),
    thumbsUp: p.integer().default(0),
    thumbsDown: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/** Something that the figures of an agent lack until a job aggregates it. */
export class StudioNote extends StudioNoteSchema.class {}
StudioNoteSchema.setClass(StudioNote);
