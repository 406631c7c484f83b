import { Arg, Ctx, Field, Float, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Verdict } from '../src/studio/experiments/judge.ts';
import { type ExperimentResults, getResults, type ResultWarning } from '../src/studio/experiments/results.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize } from './decorators.ts';
import { enumType } from './enum-type.ts';

const VerdictEnum = enumType<Verdict>('Verdict', 'What an experiment has shown. It may be read at any time.', {
  collecting: 'Too few people or days.',
  no_difference_yet: 'Every difference may still be zero.',
  better: 'A challenger beats the control.',
  worse: 'The control beats every challenger.',
  invalid: 'People are not split as the weights say, so nothing can be concluded.',
});

const ResultWarningEnum = enumType<ResultWarning>('ResultWarning', 'Something to know about results.', {
  sample_ratio_mismatch: 'People are not split as the weights say.',
  past_expected_people: 'More people than expected are counted, and there is no verdict.',
  more_failures: 'A challenger fails to reply more often than the control.',
});

/** Descriptions of what results and experiments share. */
export const variantFields = {
  key: '`a` for the control, then `b`, `c` and `d`.',
  versionId: 'ID of the version.',
  weight: 'Share of people in percent, 5 to 95. The weights sum to 100.',
};

@ObjectType({ description: 'What a variant has shown. Fields are null while too few people are counted.' })
class VariantResults {
  @Field(() => String, { description: variantFields.key }) key!: string;
  @Field(() => ID, { description: variantFields.versionId }) versionId!: string;
  @Field(() => Int, { nullable: true, description: 'People whose window is over.' }) people!: number | null;
  @Field(() => Int, { nullable: true, description: 'Those of them who succeeded.' }) successes!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of people who succeeded.' }) rate!: number | null;
  @Field(() => Float, { nullable: true, description: 'Rate less that of the control; null for the control.' })
  difference!: number | null;
  @ListSize(2)
  @Field(() => [Float], {
    nullable: true,
    description: 'Lowest and highest true difference that fits the data, at every look; null for the control.',
  })
  interval!: number[] | null;
  @Field(() => Int, { nullable: true, description: 'Replies that it wrote.' }) replies!: number | null;
  @Field(() => Int, { nullable: true, description: 'Attempts that ended without a reply.' }) failed!: number | null;
  @Field(() => Int, { nullable: true, description: 'Replies that were rated up.' }) thumbsUp!: number | null;
  @Field(() => Int, { nullable: true, description: 'Replies that were rated down.' }) thumbsDown!: number | null;
}

@ObjectType({ description: 'Whether people are split as the weights say.' })
class SampleRatio {
  @Field(() => Boolean, { description: 'False when the split contradicts the weights.' }) ok!: boolean;
  @ListSize(4)
  @Field(() => [Float], { description: 'Shares by the weights.' })
  expected!: number[];
  @ListSize(4)
  @Field(() => [Float], { nullable: true, description: 'Shares of people who met each variant.' })
  observed!: number[] | null;
}

@ObjectType('ExperimentResults', { description: 'What an experiment has shown. Every look is valid.' })
class ExperimentResultsType {
  @Field(() => ID, { description: 'Experiment ID.' }) experimentId!: string;
  @Field(() => VerdictEnum, { description: 'The conclusion that the data allow.' }) verdict!: Verdict;
  @Field(() => String, { nullable: true, description: 'Key of the variant to keep; null without such a verdict.' })
  best!: string | null;
  @Field(() => Float, {
    description:
      'Counted people as a share of the expected ones, 0 to 1. 0 while a variant has fewer than five people.',
  })
  progress!: number;
  @ListSize(4)
  @Field(() => [VariantResults], { description: 'The control and its challengers.' })
  variants!: VariantResults[];
  @Field(() => SampleRatio, { description: 'Check of the split.' }) sampleRatio!: SampleRatio;
  @ListSize(3)
  @Field(() => [ResultWarningEnum], { description: 'What to look into.' })
  warnings!: ResultWarning[];
  @Field(() => Date, { description: 'When it was computed.' }) computedAt!: Date;
}

@Resolver()
export class ExperimentResultsResolver {
  @Access('studio:read')
  @Query(() => ExperimentResultsType, { description: 'Returns what an experiment has shown. Every look is valid.' })
  experimentResults(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Experiment ID.' }) id: string,
  ): Promise<ExperimentResults> {
    return getResults(ctx, id);
  }
}
