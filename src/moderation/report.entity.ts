import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import type { ReportReason, SubjectType } from './moderation.input.ts';

export type ReportStatus = 'received' | 'actioned' | 'dismissed';

const ReportSchema = defineEntity({
  name: 'Report',
  tableName: 'moderation_reports',
  properties: {
    id: p.text().primary(),
    reporterId: p.manyToOne(User).mapToPk().name('reporter_id').deleteRule('set null').strictNullable(),
    contactEmail: p.text().strictNullable(),
    subjectType: p.text().$type<SubjectType>(),
    subjectId: p.text(),
    reason: p.text().$type<ReportReason>(),
    comment: p.text().strictNullable(),
    status: p.text().$type<ReportStatus>().default('received'),
    createdAt: p.datetime(3),
    decidedAt: p.datetime(3).strictNullable(),
  },
});

/** A user's notice that content may violate the rules. */
export class Report extends ReportSchema.class {}
ReportSchema.setClass(Report);
