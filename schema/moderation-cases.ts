import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { PublicProfile } from '../src/accounts/public-profiles.ts';
import { type CaseFile, getCase, listCases } from '../src/moderation/cases.ts';
import { decideModeration } from '../src/moderation/decide.ts';
import {
  type CaseState,
  type DecisionAction,
  decideInput,
  type ReportReason,
  type SubjectType,
} from '../src/moderation/moderation.input.ts';
import type { ModerationCase } from '../src/moderation/moderation-case.entity.ts';
import { UserType } from './accounts.ts';
import { PublicProfileType } from './agent-details.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly, ListSize, Rules } from './decorators.ts';
import {
  ModerationActionEnum,
  ModerationDecisionType,
  ReportReasonEnum,
  ReportType,
  SubjectTypeEnum,
  toDecision,
  toReport,
} from './moderation.ts';
import { enumType } from './enum-type.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

const CaseStateEnum = enumType<CaseState>('ModerationCaseState', 'Which cases to list.', {
  open: 'A decision is needed; most reporters first.',
  appealed: 'An appeal waits for a decision; longest first.',
  closed: 'Decided; last decided first.',
});

@ObjectType('ModerationCase', { description: 'A subject that moderators decide on.' })
class ModerationCaseType {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ID, { nullable: true, description: 'User ID of its author.' }) authorId!: string | null;
  @Field(() => Boolean, { description: 'Whether a decision is needed.' }) open!: boolean;
  @Field(() => Int, { description: 'Accounts that have reported it since the case was opened.' })
  reporterCount!: number;
  @Field(() => Int, { description: 'Reports since then, those without a credential too.' }) reportCount!: number;
  @Field(() => [String], {
    description:
      'Why it was opened besides reports: categories of the content check, `impersonation`, or `waiting` for approval.',
  })
  marks!: string[];
  @Field(() => Date, { nullable: true, description: 'Since when an appeal waits.' }) appealedAt!: Date | null;
  @Field(() => Date, { description: 'Time when it was opened.' }) openedAt!: Date;
  @Field(() => Date, { description: 'Time of the last report or decision.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of cases.' })
class ModerationCaseList extends pageOf(
  'cases',
  ModerationCaseType,
  'Number of cases in the whole list, at most 10,000.',
) {}

@ObjectType({ description: 'A subject as moderators see it.' })
class ModeratedSubject {
  @Field(() => String, { description: 'Name, or another short description.' }) title!: string;
  @Field(() => String, { description: 'What others can read of it.' }) text!: string;
  @Field(() => String, { nullable: true, description: 'URL of its picture.' }) imageUrl!: string | null;
  @Field(() => String, { description: 'Such as `ok`, `in_review`, `held` or `removed`.' }) state!: string;
}

@ObjectType({ description: 'A case with its subject, reports and decisions.' })
class ModerationCaseFile {
  @Field(() => ModerationCaseType, { description: 'The case.' }) case!: ModerationCaseType;
  @Field(() => ModeratedSubject, { nullable: true, description: 'The subject; null once it is gone.' })
  subject!: ModeratedSubject | null;
  @ListSize(100)
  @Field(() => [ReportType], { description: 'The newest hundred reports.' })
  reports!: ReportType[];
  @ListSize(100)
  @Field(() => [ModerationDecisionType], { description: 'The newest hundred decisions.' })
  decisions!: ModerationDecisionType[];
}

@InputType({ description: 'A decision.' })
@Rules(decideInput)
class DecideInput {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ModerationActionEnum, { description: 'What to do.' }) action!: DecisionAction;
  @Field(() => ReportReasonEnum, { description: 'The rule that it rests on.' }) reason!: ReportReason;
  @Field(() => String, { description: 'Statement of reasons for the author, 1 to 4,000 characters.' })
  statement!: string;
}

const toCase = (found: ModerationCase): ModerationCaseType => ({
  subjectType: found.subjectType,
  subjectId: found.subjectId,
  authorId: found.authorId ?? null,
  open: found.isOpen,
  reporterCount: found.reporters,
  reportCount: found.reports,
  marks: found.marks,
  appealedAt: found.appealedAt ?? null,
  openedAt: found.openedAt,
  updatedAt: found.updatedAt,
});

const toFile = (file: CaseFile): ModerationCaseFile => ({
  case: toCase(file.case),
  subject: file.subject,
  reports: file.reports.map(toReport),
  decisions: file.decisions.map(toDecision),
});

@Resolver(() => ModerationCaseType)
export class ModerationCaseResolver {
  @GraphqlOnly()
  @FieldResolver(() => PublicProfileType, { nullable: true, description: 'Its author; null when the account is gone.' })
  async author(@Root() { authorId }: ModerationCaseType, @Ctx() ctx: GraphqlContext): Promise<PublicProfile | null> {
    return authorId === null ? null : ctx.loaders.publicProfile.load(authorId);
  }

  @Access('moderator')
  @Query(() => ModerationCaseList, {
    description: 'Lists the cases of a state, by default the open ones, most reporters first. For moderators.',
  })
  async moderationCases(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('state', () => CaseStateEnum, { nullable: true, description: 'Which cases. Defaults to OPEN.' })
    state?: CaseState,
  ): Promise<ModerationCaseList> {
    const page = await listCases(ctx, { state, ...paging, counted });
    return { ...page, data: page.data.map(toCase) };
  }

  @Access('moderator')
  @Query(() => ModerationCaseFile, {
    description:
      'Returns a case with its subject and reports. Every look is recorded in the audit log. For moderators.',
  })
  async moderationCase(
    @Ctx() ctx: GraphqlContext,
    @Arg('subjectType', () => String, { description: 'Kind of the subject in lower case, such as `agent`.' })
    subjectType: string,
    @Arg('subjectId', () => ID, { description: 'ID of the subject.' }) subjectId: string,
  ): Promise<ModerationCaseFile> {
    return toFile(await getCase(ctx, subjectType, subjectId));
  }

  @Access('moderator')
  @Mutation(() => ModerationDecisionType, {
    description: 'Decides on a subject, settles its reports and tells its author why. For moderators.',
  })
  async decideModeration(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => DecideInput) input: DecideInput,
  ): Promise<ModerationDecisionType> {
    return toDecision(await decideModeration(ctx, input));
  }
}

@Resolver(() => UserType)
export class ModeratorResolver {
  @GraphqlOnly()
  @FieldResolver(() => Boolean, {
    description: 'Whether the account is a moderator. The operations of moderators need an access token from login.',
  })
  isModerator(@Root() { id }: UserType, @Ctx() { config }: GraphqlContext): boolean {
    return config.moderation.moderators.includes(id);
  }
}
