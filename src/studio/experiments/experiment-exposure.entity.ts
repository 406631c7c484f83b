import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Experiment } from './experiment.entity.ts';

const ExperimentExposureSchema = defineEntity({
  name: 'ExperimentExposure',
  tableName: 'experiment_exposures',
  properties: {
    experimentId: p.manyToOne(Experiment).mapToPk().name('experiment_id').deleteRule('cascade').primary(),
    /** The person: the id of the user or, outside of direct conversations, of the conversation. */
    subject: p.text().primary(),
    variant: p.text(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    exposedAt: p.datetime(3),
    /** End of the window in which the person can succeed. */
    windowEndsAt: p.datetime(3),
    /** Whether the exposure is included in `ExperimentSum.exposed`. */
    summed: p.boolean().default(false),
    countedAt: p.datetime(3).strictNullable(),
    success: p.boolean().strictNullable(),
  },
});

/** A person's first exposure to an experiment. It fixes the person's variant. */
export class ExperimentExposure extends ExperimentExposureSchema.class {}
ExperimentExposureSchema.setClass(ExperimentExposure);
