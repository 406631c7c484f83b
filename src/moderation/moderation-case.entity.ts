import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import type { SubjectType } from './moderation.input.ts';

const ModerationCaseSchema = defineEntity({
  name: 'ModerationCase',
  tableName: 'moderation_cases',
  properties: {
    /** Derived from the subject (`agent:…`): a subject has one case, which can be reopened. */
    id: p.text().primary(),
    subjectType: p.text().$type<SubjectType>(),
    subjectId: p.text(),
    authorId: p.manyToOne(User).mapToPk().name('author_id').deleteRule('cascade').strictNullable(),
    isOpen: p.boolean(),
    /** Number of accounts that have reported the subject since the case was opened. */
    reporters: p.integer(),
    /** Number of reports since the case was opened, including those without a credential. */
    reports: p.integer(),
    /** Reasons besides reports: categories of the content check, or `waiting` for approval. */
    marks: p.array().defaultRaw(`'{}'::text[]`),
    /** Set while an appeal is pending. */
    appealedAt: p.datetime(3).strictNullable(),
    openedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** A subject that a moderator has to review or has decided on. */
export class ModerationCase extends ModerationCaseSchema.class {}
ModerationCaseSchema.setClass(ModerationCase);
