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
import type { Config } from '../src/core/config/config.ts';
import { casePictureUrl } from '../src/images/case-picture.ts';
import type { PublicProfile } from '../src/accounts/public-profiles.ts';
import { type CaseFile, getCase, listCases, viewCasePicture } from '../src/moderation/cases.ts';
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

const CaseStateEnum = enumType<CaseState>('ModerationCaseState', 'Filter for a list of cases.', {
  open: 'Cases that need a decision, most reporters first.',
  appealed: 'Cases with a pending appeal, longest-waiting first.',
  closed: 'Decided cases, last decided first.',
});

@ObjectType('ModerationCase', { description: 'A moderation case about a subject.' })
class ModerationCaseType {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ID, { nullable: true, description: 'User ID of the author.' }) authorId!: string | null;
  @Field(() => Boolean, { description: 'Whether a decision is needed.' }) open!: boolean;
  @Field(() => Int, { description: 'Number of accounts that reported the subject since the case was opened.' })
  reporterCount!: number;
  @Field(() => Int, {
    description: 'Number of reports since the case was opened, including those without a credential.',
  })
  reportCount!: number;
  @Field(() => [String], {
    description:
      'Reasons for opening the case other than reports: categories of the content check, `impersonation`, or `waiting` for approval.',
  })
  marks!: string[];
  @Field(() => Date, { nullable: true, description: 'Time since when an appeal is pending.' }) appealedAt!: Date | null;
  @Field(() => Date, { description: 'Time when it was opened.' }) openedAt!: Date;
  @Field(() => Date, { description: 'Time of the last report or decision.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A page of cases.' })
class ModerationCaseList extends pageOf(
  'cases',
  ModerationCaseType,
  'Number of cases in the whole list, at most 10,000.',
) {}

@ObjectType({ description: 'The subject of a case, as shown to moderators.' })
class ModeratedSubject {
  @Field(() => String, { description: 'Name or short description.' }) title!: string;
  @Field(() => String, { description: 'Content that others can read.' }) text!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Public URL of its picture. It stops working once the picture is removed.',
  })
  imageUrl!: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'URL at which moderators can read its picture even if it was removed. It needs the same credential as this request. Null if this service does not store the picture.',
  })
  pictureUrl!: string | null;
  @Field(() => String, { description: 'Moderation state, such as `ok`, `in_review`, `held` or `removed`.' })
  state!: string;
}

@ObjectType({ description: 'A case with its subject, reports and decisions.' })
class ModerationCaseFile {
  @Field(() => ModerationCaseType, { description: 'The case.' }) case!: ModerationCaseType;
  @Field(() => ModeratedSubject, { nullable: true, description: 'The subject; null once it was deleted.' })
  subject!: ModeratedSubject | null;
  @ListSize(100)
  @Field(() => [ReportType], { description: 'The latest 100 reports.' })
  reports!: ReportType[];
  @ListSize(100)
  @Field(() => [ModerationDecisionType], { description: 'The latest 100 decisions.' })
  decisions!: ModerationDecisionType[];
}

@ObjectType({ description: 'The picture of a case, for moderators.' })
class ModerationCasePicture {
  @Field(() => String, {
    nullable: true,
    description:
      'URL of the picture. It needs the same credential as this request. Null if this service does not store a picture.',
  })
  url!: string | null;
}

@InputType({ description: 'A moderation decision.' })
@Rules(decideInput)
class DecideInput {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ModerationActionEnum, { description: 'The action to take.' }) action!: DecisionAction;
  @Field(() => ReportReasonEnum, { description: 'The rule on which the decision is based.' }) reason!: ReportReason;
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

const toSubject = (config: Config, { case: found, subject }: CaseFile): ModeratedSubject | null =>
  subject && {
    ...subject,
    pictureUrl: casePictureUrl(config, found.subjectType, found.subjectId, subject.imageUrl),
  };

const toFile = (config: Config, file: CaseFile): ModerationCaseFile => ({
  case: toCase(file.case),
  subject: toSubject(config, file),
  reports: file.reports.map(toReport),
  decisions: file.decisions.map(toDecision),
});

@Resolver(() => ModerationCaseType)
export class ModerationCaseResolver {
  @GraphqlOnly()
  @FieldResolver(() => PublicProfileType, {
    nullable: true,
    description: 'Author of the subject; null when the account was deleted.',
  })
  async author(@Root() { authorId }: ModerationCaseType, @Ctx() ctx: GraphqlContext): Promise<PublicProfile | null> {
    return authorId === null ? null : ctx.loaders.publicProfile.load(authorId);
  }

  @Access('moderator')
  @Query(() => ModerationCaseList, {
    description: 'Lists moderation cases, by default the open ones, most reporters first. For moderators.',
  })
  async moderationCases(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('state', () => CaseStateEnum, { nullable: true, description: 'Which cases to list. Defaults to OPEN.' })
    state?: CaseState,
  ): Promise<ModerationCaseList> {
    const page = await listCases(ctx, { state, ...paging, counted });
    return { ...page, data: page.data.map(toCase) };
  }

  @Access('moderator')
  @Query(() => ModerationCaseFile, {
    description:
      'Returns a case with its subject and reports. Every access is recorded in the audit log. For moderators.',
  })
  async moderationCase(
    @Ctx() ctx: GraphqlContext,
    @Arg('subjectType', () => String, { description: 'Kind of the subject in lower case, such as `agent`.' })
    subjectType: string,
    @Arg('subjectId', () => ID, { description: 'ID of the subject.' }) subjectId: string,
  ): Promise<ModerationCaseFile> {
    return toFile(ctx.config, await getCase(ctx, subjectType, subjectId));
  }

  @Access('moderator')
  @Query(() => ModerationCasePicture, {
    description:
      'Returns the URL of the picture of a case, which also works if the picture was removed. Every access is recorded in the audit log. For moderators.',
  })
  async moderationCasePicture(
    @Ctx() ctx: GraphqlContext,
    @Arg('subjectType', () => String, { description: 'Kind of the subject in lower case, such as `image`.' })
    subjectType: string,
    @Arg('subjectId', () => ID, { description: 'ID of the subject.' }) subjectId: string,
  ): Promise<ModerationCasePicture> {
    const imageUrl = await viewCasePicture(ctx, subjectType, subjectId);
    return { url: casePictureUrl(ctx.config, subjectType, subjectId, imageUrl) };
  }

  @Access('moderator')
  @Mutation(() => ModerationDecisionType, {
    description: 'Decides on a subject, resolves its reports and notifies its author of the reasons. For moderators.',
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
    description: 'Whether the account is a moderator. Moderator operations require an access token from a login.',
  })
  isModerator(@Root() { id }: UserType, @Ctx() { config }: GraphqlContext): boolean {
    return config.moderation.moderators.includes(id);
  }
}
