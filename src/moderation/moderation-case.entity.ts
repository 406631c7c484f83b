import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import type { SubjectType } from './moderation.input.ts';

const ModerationCaseSchema = defineEntity({
  name: 'ModerationCase',
  tableName: 'moderation_cases',
  properties: {
    /** `agent:…`: a subject has one case, which is opened again. */
    id: p.text().primary(),
    subjectType: p.text().$type<SubjectType>(),
    subjectId: p.text(),
    authorId: p.manyToOne(User).mapToPk().name('author_id').deleteRule('cascade').strictNullable(),
    isOpen: p.boolean(),
    /** Accounts that reported it since it was opened. */
    reporters: p.integer(),
    /** Reports since then, those without a credential too. */
    reports: p.integer(),
    /** Why it was opened besides reports: what the content check found, or `waiting` for approval. */
    marks: p.array().defaultRaw(`'{}'::text[]`),
    /** Set while an appeal waits. */
    appealedAt: p.datetime(3).strictNullable(),
    openedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** A subject that a moderator has to look at, or has decided on. */
export class ModerationCase extends ModerationCaseSchema.class {}
ModerationCaseSchema.setClass(ModerationCase);
