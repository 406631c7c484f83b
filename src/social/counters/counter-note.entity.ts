import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CounterKind } from './counters.ts';

const CounterNoteSchema = defineEntity({
  name: 'CounterNote',
  tableName: 'counter_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<CounterKind>(),
    /** Of a user, an agent or a share; without a foreign key, because a note outlives what it is about. */
    subjectId: p.text(),
    delta: p.integer(),
    createdAt: p.datetime(3),
  },
});

/** A change that a counter lacks: appended, and aggregated by a job. */
export class CounterNote extends CounterNoteSchema.class {}
CounterNoteSchema.setClass(CounterNote);
