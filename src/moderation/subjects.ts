import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import type { SubjectType } from './moderation.input.ts';

/** A subject of reports and decisions, with its author. */
export interface Subject {
  type: SubjectType;
  id: string;
  /** Null once the account is gone. */
  authorId: string | null;
}

/** A subject as a moderator sees it. */
export interface ShownSubject extends Omit<Subject, 'type' | 'id'> {
  title: string;
  /** What others can read of it, for the content check too. */
  text: string;
  imageUrl: string | null;
  /** Such as `ok`, `in_review`, `held` or `removed`. */
  state: string;
  /** What the feature itself finds suspicious about it, such as `impersonation`. */
  marks: readonly string[];
}

/** Decisions that change who sees a subject. */
export type VisibilityAction = 'hold' | 'remove' | 'restore';

/** A kind of thing that people can report. A feature lists its kinds in `reportable`. */
export interface ReportableKind {
  type: SubjectType;
  /** Finds what a report names (an id, a slug, an address) if the caller may see it; null when it does not exist. */
  find(ctx: Ctx, named: string): Promise<Pick<Subject, 'id' | 'authorId'> | null>;
  /** Reads it for moderators and the content check, whatever its state; null once it is gone. */
  show(ctx: Ctx, id: string): Promise<ShownSubject | null>;
  /** Changes who sees it, in the transaction of the decision. Returns whether anything changed. */
  change(tx: Ctx, id: string, action: VisibilityAction): Promise<boolean>;
  /** Runs in the transaction that opens a case because the content check flagged it. */
  onFlagged?(tx: Ctx, id: string): Promise<void>;
}

declare module '../core/feature.ts' {
  interface Feature {
    /** Its things that people can report and moderators can decide on. */
    reportable?: readonly ReportableKind[];
  }
}

/** The kind of a subject. @throws AppError `not_found` when no feature of this release has it */
export function kindOf(ctx: Ctx, type: string): ReportableKind {
  for (const { reportable = [] } of ctx.catalog.features)
    for (const kind of reportable) if (kind.type === type) return kind;
  throw notFound();
}

/** The id of a subject's case: `agent:…`. */
export const caseIdOf = ({ type, id }: Pick<Subject, 'type' | 'id'>): string => `${type}:${id}`;
