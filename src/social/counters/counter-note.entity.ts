import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CounterKind } from './counters.ts';

const CounterNoteSchema = defineEntity({
  name: 'CounterNote',
  tableName: 'counter_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<CounterKind>(),
    /** Id of a user, an agent or a share. Not a foreign key, because a note may outlive its subject. */
    subjectId: p.text(),
    delta: p.integer(),
    createdAt: p.datetime(3),
  },
});

/** A change that is not yet included in a counter. Notes are appended by writers and aggregated by a job. */
export class CounterNote extends CounterNoteSchema.class {}
CounterNoteSchema.setClass(CounterNote);
