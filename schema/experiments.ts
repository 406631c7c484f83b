import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type {
  EndedReason,
  Experiment,
  ExperimentMetric,
  ExperimentStatus,
} from '../src/studio/experiments/experiment.entity.ts';
import {
  concludeInput,
  createExperimentInput,
  updateExperimentInput,
} from '../src/studio/experiments/experiment.input.ts';
import {
  createExperiment,
  getExperiment,
  listExperiments,
  updateExperiment,
} from '../src/studio/experiments/experiments.ts';
import { deleteExperiment } from '../src/studio/experiments/remove-experiment.ts';
import {
  concludeExperiment,
  pauseExperiment,
  resumeExperiment,
  startExperiment,
  stopExperiment,
} from '../src/studio/experiments/run-experiment.ts';
import { AgentIdArg } from './agent-id-arg.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';
import { variantFields } from './experiment-results.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

const ExperimentStatusEnum = enumType<ExperimentStatus>('ExperimentStatus', 'State of an experiment.', {
  draft: 'Not started; it can be changed.',
  running: 'Running: people get their variant.',
  paused: 'Paused: everyone gets the live version; the experiment can be resumed.',
  ended: 'Finished.',
});

const ExperimentMetricEnum = enumType<ExperimentMetric>('ExperimentMetric', 'Success metric.', {
  continued: 'The person sends three or more messages within 24 hours of the first exposure.',
  returned: 'The person sends a message between 24 hours and 7 days after the first exposure.',
});

const EndedReasonEnum = enumType<EndedReason>('EndedReason', 'Reason why an experiment ended.', {
  concluded: 'The owner chose a winning version.',
  stopped: 'The owner stopped it.',
  guardrail: 'A variant failed to reply much more often than the control.',
  agent_unpublished: 'The agent became private.',
});

@ObjectType('ExperimentVariant', { description: 'A variant of an experiment.' })
class ExperimentVariant {
  @Field(() => String, { description: variantFields.key }) key!: string;
  @Field(() => ID, { description: variantFields.versionId }) versionId!: string;
  @Field(() => Int, { description: variantFields.weight }) weight!: number;
}

@ObjectType('Experiment', {
  description: 'An experiment that compares versions of an agent. Each person always gets the same version.',
})
class ExperimentType {
  @Field(() => ID, { description: 'Experiment ID (`xpt_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Name of the experiment.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Hypothesis: the expected outcome and the reason.' })
  hypothesis!: string | null;
  @Field(() => ExperimentStatusEnum, { description: 'State.' }) status!: ExperimentStatus;
  @ListSize(4)
  @Field(() => [ExperimentVariant], { description: 'The control and its challengers.' })
  variants!: readonly ExperimentVariant[];
  @Field(() => ExperimentMetricEnum, { description: 'Success metric.' }) metric!: ExperimentMetric;
  @Field(() => Int, { description: 'Number of people for which the result is most precise.' }) expectedPeople!: number;
  @Field(() => Int, { description: 'Minimum number of days before a verdict.' }) minDays!: number;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time when it was first started.' }) startedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'End time.' }) endedAt!: Date | null;
  @Field(() => EndedReasonEnum, { nullable: true, description: 'Reason why it ended; null until then.' })
  endedReason!: EndedReason | null;
  @Field(() => ID, { nullable: true, description: 'The version that was chosen as the winner.' })
  winnerVersionId!: string | null;
}

@ObjectType({ description: 'A page of experiments, newest first.' })
class ExperimentList extends pageOf('experiments', ExperimentType) {}

@InputType({ description: 'A variant of an experiment.' })
class ExperimentVariantInput {
  @Field(() => String, { description: variantFields.key }) key!: string;
  @Field(() => ID, { description: variantFields.versionId }) versionId!: string;
  @Field(() => Int, { description: variantFields.weight }) weight!: number;
}

@InputType({ description: 'The draft of an experiment.' })
@Rules(createExperimentInput)
class ExperimentInput {
  @Field(() => String, { description: 'Name, 1 to 80 characters.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Hypothesis, at most 500 characters.' })
  hypothesis?: string | null;
  @Field(() => [ExperimentVariantInput], { description: 'Two to four versions, the control first.' })
  variants!: ExperimentVariantInput[];
  @Field(() => ExperimentMetricEnum, {
    nullable: true,
    description: 'Success metric. Defaults to `continued`.',
  })
  metric?: ExperimentMetric;
  @Field(() => Int, { nullable: true, description: 'Expected number of people, 200 to 1,000,000. Defaults to 1,000.' })
  expectedPeople?: number;
  @Field(() => Int, {
    nullable: true,
    description:
      'Minimum number of days before a verdict, 1 to 60. Defaults to 7; for `returned` to 8, which is its minimum.',
  })
  minDays?: number;
}

@InputType({ description: 'Changes to a draft. Omitted fields keep their value.' })
@Rules(updateExperimentInput)
class ExperimentPatch {
  @Field(() => String, { nullable: true, description: 'Name, 1 to 80 characters.' }) name?: string;
  @Field(() => String, { nullable: true, description: 'Hypothesis, at most 500 characters.' })
  hypothesis?: string | null;
  @Field(() => [ExperimentVariantInput], { nullable: true, description: 'Two to four versions, the control first.' })
  variants?: ExperimentVariantInput[];
  @Field(() => ExperimentMetricEnum, { nullable: true, description: 'Success metric.' })
  metric?: ExperimentMetric;
  @Field(() => Int, { nullable: true, description: 'Expected number of people, 200 to 1,000,000.' })
  expectedPeople?: number;
  @Field(() => Int, {
    nullable: true,
    description:
      'Minimum number of days before a verdict, 1 to 60. If omitted, a metric that needs more days raises it to its minimum.',
  })
  minDays?: number;
}

@InputType({ description: 'The version to keep.' })
@Rules(concludeInput)
class ConcludeInput {
  @Field(() => ID, { description: 'Version of the winning variant.' }) versionId!: string;
}

const toExperiment = (experiment: Experiment): ExperimentType => ({
  id: experiment.id,
  agentId: experiment.agentId,
  name: experiment.name,
  hypothesis: experiment.hypothesis ?? null,
  status: experiment.status,
  variants: experiment.variants,
  metric: experiment.metric,
  expectedPeople: experiment.expectedPeople,
  minDays: experiment.minDays,
  createdAt: experiment.createdAt,
  startedAt: experiment.startedAt ?? null,
  endedAt: experiment.endedAt ?? null,
  endedReason: experiment.endedReason ?? null,
  winnerVersionId: experiment.winnerVersionId ?? null,
});

const ExperimentIdArg = (): ParameterDecorator =>
  Arg('id', () => ID, { description: 'Experiment ID.' }) as ParameterDecorator;

@Resolver()
export class ExperimentResolver {
  @Access('studio:read')
  @Query(() => ExperimentList, { description: 'Lists the experiments with one of the caller’s agents, newest first.' })
  async experiments(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ExperimentList> {
    const page = await listExperiments(ctx, agentId, { ...paging, counted });
    return { ...page, data: page.data.map(toExperiment) };
  }

  @Access('studio:read')
  @Query(() => ExperimentType, { description: 'Returns an experiment.' })
  async experiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<ExperimentType> {
    return toExperiment(await getExperiment(ctx, id));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, { description: 'Creates a draft experiment.' })
  async createExperiment(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @Arg('input', () => ExperimentInput) input: ExperimentInput,
  ): Promise<ExperimentType> {
    return toExperiment(await createExperiment(ctx, agentId, input));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, { description: 'Updates a draft experiment.' })
  async updateExperiment(
    @Ctx() ctx: GraphqlContext,
    @ExperimentIdArg() id: string,
    @Arg('input', () => ExperimentPatch) input: ExperimentPatch,
  ): Promise<ExperimentType> {
    return toExperiment(await updateExperiment(ctx, id, input));
  }

  @Access('studio:write')
  @Mutation(() => Deletion, { description: 'Deletes an experiment that is a draft or finished.' })
  deleteExperiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<Deletion> {
    return deleteExperiment(ctx, id);
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, { description: 'Starts a draft experiment.' })
  async startExperiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<ExperimentType> {
    return toExperiment(await startExperiment(ctx, id));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, {
    description: 'Pauses an experiment: everyone gets the live version until it is resumed.',
  })
  async pauseExperiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<ExperimentType> {
    return toExperiment(await pauseExperiment(ctx, id));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, { description: 'Resumes a paused experiment. Everyone keeps their variant.' })
  async resumeExperiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<ExperimentType> {
    return toExperiment(await resumeExperiment(ctx, id));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, { description: 'Ends an experiment without choosing a version.' })
  async stopExperiment(@Ctx() ctx: GraphqlContext, @ExperimentIdArg() id: string): Promise<ExperimentType> {
    return toExperiment(await stopExperiment(ctx, id));
  }

  @Access('studio:write')
  @Mutation(() => ExperimentType, {
    description: 'Ends an experiment and makes the version of a variant live. Also needs `agents:write`.',
  })
  async concludeExperiment(
    @Ctx() ctx: GraphqlContext,
    @ExperimentIdArg() id: string,
    @Arg('input', () => ConcludeInput) input: ConcludeInput,
  ): Promise<ExperimentType> {
    return toExperiment(await concludeExperiment(ctx, id, input));
  }
}
