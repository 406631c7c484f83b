import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { appealDecision, listDecisions } from '../src/moderation/decisions.ts';
import type { Decision } from '../src/moderation/decision.entity.ts';
import { decisionEventData } from '../src/moderation/moderation.events.ts';
import {
  appealInput,
  type DecisionAction,
  type ReportReason,
  reportInput,
  type SubjectType,
} from '../src/moderation/moderation.input.ts';
import type { Report, ReportStatus } from '../src/moderation/report.entity.ts';
import { createReport, listReports } from '../src/moderation/reports.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

export const SubjectTypeEnum = enumType<SubjectType>('SubjectType', 'Kind of a subject that can be reported.', {
  agent: 'An agent with its listing.',
  review: 'A review of an agent.',
  user: 'An account, through its profile.',
  share: 'A shared agent or conversation.',
  room: 'A room.',
  room_message: 'A message in a room.',
  image: 'An image.',
});

export const ReportReasonEnum = enumType<ReportReason>('ReportReason', 'Reason for a report.', {
  illegal: 'Illegal for another reason.',
  sexual: 'Sexual content where it is not allowed.',
  minors: 'Sexual content about minors.',
  violence: 'Violence or a call for violence.',
  hate: 'Hatred of a group of people.',
  harassment: 'Attacks a person.',
  self_harm: 'Encourages self-harm.',
  deception: 'Deceptive, for example impersonation.',
  privacy: 'Reveals private information.',
  copyright: 'Infringes a copyright or a trademark.',
  spam: 'Spam.',
  other: 'Something else, explained in the comment.',
});

const ReportStatusEnum = enumType<ReportStatus>('ReportStatus', 'Outcome of a report.', {
  received: 'Waiting for a decision.',
  actioned: 'Action was taken.',
  dismissed: 'No action was needed.',
});

export const ModerationActionEnum = enumType<DecisionAction>('ModerationAction', 'Effect of a decision.', {
  none: 'Dismisses the reports.',
  hold: 'Hides the subject from lists and feeds; direct use continues.',
  remove: 'Hides the subject from everyone but its author.',
  restore: 'Makes the subject visible again, approves a subject in review, and lifts a restriction of its author.',
  restrict_author: 'Prevents the author from publishing.',
});

@ObjectType('Report', { description: 'A report of content that may not be allowed.' })
export class ReportType {
  @Field(() => ID, { description: 'Report ID (`rep_…`).' }) id!: string;
  @Field(() => SubjectTypeEnum, { description: 'Kind of the reported subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the reported subject.' }) subjectId!: string;
  @Field(() => ReportReasonEnum, { description: 'Reason for the report.' }) reason!: ReportReason;
  @Field(() => String, { nullable: true, description: 'The reporter’s comment.' }) comment!: string | null;
  @Field(() => ReportStatusEnum, { description: 'Outcome of the report.' }) status!: ReportStatus;
  @Field(() => Date, { description: 'Time of the report.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time of the decision.' }) decidedAt!: Date | null;
}

@ObjectType({ description: 'A page of reports, newest first.' })
class ReportList extends pageOf('reports', ReportType) {}

@ObjectType({ description: 'An author’s appeal against a decision.' })
class Appeal {
  @Field(() => String, { description: 'Text of the appeal.' }) text!: string;
  @Field(() => Date, { description: 'Time of the appeal.' }) createdAt!: Date;
  @Field(() => ModerationActionEnum, {
    nullable: true,
    description: 'The moderator’s action on the appeal; null while it is pending.',
  })
  outcome!: DecisionAction | null;
  @Field(() => Date, { nullable: true, description: 'Time of the outcome.' }) decidedAt!: Date | null;
}

@ObjectType('ModerationDecision', { description: 'A moderation decision and its reasons.' })
export class ModerationDecisionType {
  @Field(() => ID, { description: 'Decision ID (`dec_…`).' }) id!: string;
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ModerationActionEnum, { description: 'Kind of the action.' }) action!: DecisionAction;
  @Field(() => ReportReasonEnum, { description: 'The rule on which the decision is based.' }) reason!: ReportReason;
  @Field(() => String, { description: 'Statement of reasons for the author.' }) statement!: string;
  @Field(() => Boolean, { description: 'Whether the service made the decision automatically after several reports.' })
  automated!: boolean;
  @Field(() => Appeal, { nullable: true, description: 'The author’s appeal.' }) appeal!: Appeal | null;
  @Field(() => Date, { description: 'Time of the decision.' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of decisions, newest first.' })
class ModerationDecisionList extends pageOf('decisions', ModerationDecisionType) {}

@InputType({ description: 'A report.' })
@Rules(reportInput)
class ReportInput {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the reported subject.' }) subjectType!: SubjectType;
  @Field(() => ID, {
    description: 'ID of the reported subject. A share can also be given by its token, an image by its URL.',
  })
  subjectId!: string;
  @Field(() => ReportReasonEnum, { description: 'Reason for the report.' }) reason!: ReportReason;
  @Field(() => String, { nullable: true, description: 'Explanation, at most 2,000 characters.' })
  comment?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'E-mail address for questions; ignored if the request has a credential.',
  })
  contactEmail?: string | null;
}

@InputType({ description: 'An appeal.' })
@Rules(appealInput)
class AppealInput {
  @Field(() => String, { description: 'Why the decision is wrong, 1 to 4,000 characters.' }) text!: string;
}

export const toReport = (report: Report): ReportType => ({
  id: report.id,
  subjectType: report.subjectType,
  subjectId: report.subjectId,
  reason: report.reason,
  comment: report.comment ?? null,
  status: report.status,
  createdAt: report.createdAt,
  decidedAt: report.decidedAt ?? null,
});

export const toDecision = (decision: Decision): ModerationDecisionType => decisionEventData(decision);

@Resolver()
export class ModerationResolver {
  @Access('public')
  @Mutation(() => ReportType, {
    description:
      'Reports a subject to the moderators. A second report of it by the same account returns the first. Limited to ten per account and hour; without a credential, to five per IP address and hour.',
  })
  async report(@Ctx() ctx: GraphqlContext, @Arg('input', () => ReportInput) input: ReportInput): Promise<ReportType> {
    const { report, isNew } = await createReport(ctx, input);
    if (!isNew) ctx.markExisting();
    return toReport(report);
  }

  @Access('account:read')
  @Query(() => ReportList, { description: 'Lists the caller’s reports and their outcome, newest first.' })
  async reports(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ReportList> {
    const page = await listReports(ctx, { ...paging, counted });
    return { ...page, data: page.data.map(toReport) };
  }

  @Access('account:read')
  @Query(() => ModerationDecisionList, {
    description: 'Lists the decisions about the caller’s content and account, newest first.',
  })
  async moderationDecisions(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ModerationDecisionList> {
    const page = await listDecisions(ctx, { ...paging, counted });
    return { ...page, data: page.data.map(toDecision) };
  }

  @Access('account:write')
  @Mutation(() => ModerationDecisionType, {
    description: 'Appeals a decision against the caller, once and within 180 days.',
  })
  async appealDecision(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Decision ID.' }) id: string,
    @Arg('input', () => AppealInput) input: AppealInput,
  ): Promise<ModerationDecisionType> {
    return toDecision(await appealDecision(ctx, id, input));
  }
}
