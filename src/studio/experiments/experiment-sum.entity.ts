import { defineEntity, p } from '@mikro-orm/postgresql';
import { Experiment } from './experiment.entity.ts';

const ExperimentSumSchema = defineEntity({
  name: 'ExperimentSum',
  tableName: 'experiment_sums',
  properties: {
    experimentId: p.manyToOne(Experiment).mapToPk().name('experiment_id').deleteRule('cascade').primary(),
    variant: p.text().primary(),
    exposed: p.integer().default(0),
    /** Number of people whose window is over. */
    people: p.integer().default(0),
    successes: p.integer().default(0),
    replies: p.integer().default(0),
    failed: p.integer().default(0),
    thumbsUp: p.integer().default(0),
    thumbsDown: p.integer().default(0),
    /** Histograms of latencies (histogram.ts); null until the first one. */
    firstWords: p
      .array((text) => Number(text))
      .columnType('integer[]')
      .strictNullable(),
    replyTimes: p
      .array((text) => Number(text))
      .columnType('integer[]')
      .strictNullable(),
  },
});

/** Totals of a variant. They stay unchanged when a person's account is purged. */
export class ExperimentSum extends ExperimentSumSchema.class {}
ExperimentSumSchema.setClass(ExperimentSum);
