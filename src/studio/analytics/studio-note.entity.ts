import { defineEntity, p } from '@mikro-orm/postgresql';

const StudioNoteSchema = defineEntity({
  name: 'StudioNote',
  tableName: 'studio_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Generation that ended, if the note is about one. */
    generationId: p.text().strictNullable(),
    /** Room turn that ended, if the note is about one. */
    turnId: p.text().strictNullable(),
    /** Reply that was rated, if the note is about a rating. */
    messageId: p.text().strictNullable(),
    /** Account of the generation or reply. Null for a room turn, and in notes that an earlier release wrote. */
    userId: p.text().strictNullable(),
    thumbsUp: p.integer().default(0),
    thumbsDown: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/** An event that is not yet aggregated into analytics. */
export class StudioNote extends StudioNoteSchema.class {}
StudioNoteSchema.setClass(StudioNote);
