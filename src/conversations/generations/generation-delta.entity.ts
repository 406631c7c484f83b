import { defineEntity, p } from '@mikro-orm/postgresql';
import { Generation } from './generation.entity.ts';

const GenerationDeltaSchema = defineEntity({
  name: 'GenerationDelta',
  tableName: 'generation_deltas',
  properties: {
    generationId: p.manyToOne(Generation).mapToPk().name('generation_id').deleteRule('cascade').primary(),
    /** Number of UTF-16 code units before this piece. */
    position: p.integer().primary(),
    content: p.text(),
  },
});

/** A piece of the text of a running generation. */
export class GenerationDelta extends GenerationDeltaSchema.class {}
GenerationDeltaSchema.setClass(GenerationDelta);
