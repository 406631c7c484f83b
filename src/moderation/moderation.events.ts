import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { Decision } from './decision.entity.ts';
import type { DecisionAction, ReportReason, SubjectType } from './moderation.input.ts';

/** A decision in event data, as its author sees it. */
export interface DecisionEventData {
  id: string;
  subjectType: SubjectType;
  subjectId: string;
  action: DecisionAction;
  reason: ReportReason;
  statement: string;
  automated: boolean;
  appeal: { text: string; createdAt: Date; outcome: DecisionAction | null; decidedAt: Date | null } | null;
  createdAt: Date;
  /** Always 1: a decision has a single event. */
  sequence: number;
}

interface ModerationEvents {
  'moderation.decided': DecisionEventData;
}

declare module '../core/outbox.ts' {
  interface EventData extends ModerationEvents {}
}

const { agentId, decisionId, at } = exampleValues;

export const moderationEvents: EventEntries<ModerationEvents> = {
  'moderation.decided': {
    description: 'A moderation decision was made about your content or your account. `data` is the decision.',
    data: [{ resource: 'ModerationDecision' }],
    example: {
      id: decisionId,
      subjectType: 'agent',
      subjectId: agentId,
      action: 'hold',
      reason: 'deception',
      statement: 'The agent claims to be a living person.',
      automated: false,
      appeal: null,
      createdAt: at,
      sequence: 1,
    },
  },
};

/** Returns the event data of a decision, limited to what the subject's author may see. */
export const decisionEventData = (decision: Decision): DecisionEventData => ({
  id: decision.id,
  subjectType: decision.subjectType,
  subjectId: decision.subjectId,
  action: decision.action,
  reason: decision.reason,
  statement: decision.statement,
  automated: decision.automated,
  appeal: appealOf(decision),
  createdAt: decision.createdAt,
  sequence: 1,
});

const appealOf = ({ appealText, appealedAt, appealOutcome, appealDecidedAt }: Decision): DecisionEventData['appeal'] =>
  appealText && appealedAt
    ? { text: appealText, createdAt: appealedAt, outcome: appealOutcome ?? null, decidedAt: appealDecidedAt ?? null }
    : null;
