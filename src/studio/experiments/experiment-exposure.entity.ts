import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Experiment } from './experiment.entity.ts';

const ExperimentExposureSchema = defineEntity({
  name: 'ExperimentExposure',
  tableName: 'experiment_exposures',
  properties: {
    experimentId: p.manyToOne(Experiment).mapToPk().name('experiment_id').deleteRule('cascade').primary(),
    /** The person: a user's id, or the conversation's id where the owner offers the agent elsewhere. */
    subject: p.text().primary(),
    variant: p.text(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    exposedAt: p.datetime(3),
    /** End of the window in which the person can succeed. */
    windowEndsAt: p.datetime(3),
    /** Whether it is in the exposed people of the sums. */
    summed: p.boolean().default(false),
    countedAt: p.datetime(3).strictNullable(),
    success: p.boolean().strictNullable(),
  },
});

/** The first time that a person met an experiment. The variant wins from then on. */
export class ExperimentExposure extends ExperimentExposureSchema.class {}
ExperimentExposureSchema.setClass(ExperimentExposure);
