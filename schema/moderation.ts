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

export const SubjectTypeEnum = enumType<SubjectType>('SubjectType', 'A kind of thing that can be reported.', {
  agent: 'An agent with its listing.',
  review: 'A review of an agent.',
  user: 'An account, as its profile shows it.',
  share: 'A shared agent or conversation.',
  room: 'A room.',
  room_message: 'A message in a room.',
  image: 'An image.',
});

export const ReportReasonEnum = enumType<ReportReason>('ReportReason', 'Why something may not be allowed.', {
  illegal: 'It is illegal for another reason.',
  sexual: 'Sexual content where it is not allowed.',
  minors: 'Sexual content about minors.',
  violence: 'Violence, or a call for it.',
  hate: 'Hatred of a group of people.',
  harassment: 'It attacks a person.',
  self_harm: 'It encourages self-harm.',
  deception: 'It deceives, such as by claiming to be someone else.',
  privacy: 'It reveals something private.',
  copyright: 'It infringes a copyright or a trademark.',
  spam: 'Spam.',
  other: 'Something else; the comment says what.',
});

const ReportStatusEnum = enumType<ReportStatus>('ReportStatus', 'What came of a report.', {
  received: 'It waits for a decision.',
  actioned: 'Something was done.',
  dismissed: 'Nothing had to be done.',
});

export const ModerationActionEnum = enumType<DecisionAction>('ModerationAction', 'What a decision does.', {
  none: 'Nothing.',
  hold: 'Takes the subject out of lists and feeds; direct use continues.',
  remove: 'Hides the subject from everyone but its author.',
  restore: 'Shows the subject again, approves what waits, and lifts a restriction of its author.',
  restrict_author: 'Keeps the author from publishing.',
});

@ObjectType('Report', { description: 'A notice that something may not be allowed.' })
export class ReportType {
  @Field(() => ID, { description: 'Report ID (`rep_…`).' }) id!: string;
  @Field(() => SubjectTypeEnum, { description: 'Kind of the reported thing.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the reported thing.' }) subjectId!: string;
  @Field(() => ReportReasonEnum, { description: 'Why it may not be allowed.' }) reason!: ReportReason;
  @Field(() => String, { nullable: true, description: 'What the reporter wrote.' }) comment!: string | null;
  @Field(() => ReportStatusEnum, { description: 'What came of it.' }) status!: ReportStatus;
  @Field(() => Date, { description: 'Time of the report.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time of the decision.' }) decidedAt!: Date | null;
}

@ObjectType({ description: 'A page of reports, newest first.' })
class ReportList extends pageOf('reports', ReportType) {}

@ObjectType({ description: 'What an author wrote against a decision.' })
class Appeal {
  @Field(() => String, { description: 'The text of the appeal.' }) text!: string;
  @Field(() => Date, { description: 'Time of the appeal.' }) createdAt!: Date;
  @Field(() => ModerationActionEnum, {
    nullable: true,
    description: 'The action that a moderator took on it; null while it waits.',
  })
  outcome!: DecisionAction | null;
  @Field(() => Date, { nullable: true, description: 'Time of the outcome.' }) decidedAt!: Date | null;
}

@ObjectType('ModerationDecision', { description: 'What was decided about something, with the reasons.' })
export class ModerationDecisionType {
  @Field(() => ID, { description: 'Decision ID (`dec_…`).' }) id!: string;
  @Field(() => SubjectTypeEnum, { description: 'Kind of the subject.' }) subjectType!: SubjectType;
  @Field(() => ID, { description: 'ID of the subject.' }) subjectId!: string;
  @Field(() => ModerationActionEnum, { description: 'What was done.' }) action!: DecisionAction;
  @Field(() => ReportReasonEnum, { description: 'The rule that it rests on.' }) reason!: ReportReason;
  @Field(() => String, { description: 'Statement of reasons for the author.' }) statement!: string;
  @Field(() => Boolean, { description: 'Whether the service decided, after many reports.' }) automated!: boolean;
  @Field(() => Appeal, { nullable: true, description: 'The author’s appeal.' }) appeal!: Appeal | null;
  @Field(() => Date, { description: 'Time of the decision.' }) createdAt!: Date;
}

@ObjectType({ description: 'A page of decisions, newest first.' })
class ModerationDecisionList extends pageOf('decisions', ModerationDecisionType) {}

@InputType({ description: 'A report.' })
@Rules(reportInput)
class ReportInput {
  @Field(() => SubjectTypeEnum, { description: 'Kind of the reported thing.' }) subjectType!: SubjectType;
  @Field(() => ID, {
    description: 'ID of the reported thing. A share can also be named by its token, an image by its address.',
  })
  subjectId!: string;
  @Field(() => ReportReasonEnum, { description: 'Why it may not be allowed.' }) reason!: ReportReason;
  @Field(() => String, { nullable: true, description: 'What is wrong, at most 2,000 characters.' })
  comment?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'E-mail address for questions, without a credential; ignored with one.',
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
      'Reports something to the moderators. A second report of it by an account returns the first. Ten an hour and account, five an hour and address without a credential.',
  })
  async report(@Ctx() ctx: GraphqlContext, @Arg('input', () => ReportInput) input: ReportInput): Promise<ReportType> {
    const { report, isNew } = await createReport(ctx, input);
    if (!isNew) ctx.markExisting();
    return toReport(report);
  }

  @Access('account:read')
  @Query(() => ReportList, { description: 'Lists the caller’s reports with what came of them, newest first.' })
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
    description: 'Lists the decisions about what the caller published and about the account, newest first.',
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
