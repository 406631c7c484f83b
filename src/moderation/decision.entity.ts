import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import type { DecisionAction, ReportReason, SubjectType } from './moderation.input.ts';

const DecisionSchema = defineEntity({
  name: 'Decision',
  tableName: 'moderation_decisions',
  properties: {
    id: p.text().primary(),
    subjectType: p.text().$type<SubjectType>(),
    subjectId: p.text(),
    authorId: p.manyToOne(User).mapToPk().name('author_id').deleteRule('set null').strictNullable(),
    /** Null for an automated decision. */
    moderatorId: p.manyToOne(User).mapToPk().name('moderator_id').deleteRule('set null').strictNullable(),
    action: p.text().$type<DecisionAction>(),
    reason: p.text().$type<ReportReason>(),
    statement: p.text(),
    automated: p.boolean(),
    appealText: p.text().strictNullable(),
    appealedAt: p.datetime(3).strictNullable(),
    appealOutcome: p.text().$type<DecisionAction>().strictNullable(),
    appealDecidedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** A decision on a subject, with the reasons given to its author, and the author's appeal. */
export class Decision extends DecisionSchema.class {}
DecisionSchema.setClass(Decision);
