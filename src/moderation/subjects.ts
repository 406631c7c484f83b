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
  /** Text that others can read, also used by the content check. */
  text: string;
  imageUrl: string | null;
  /** Moderation state, such as `ok`, `in_review`, `held` or `removed`. */
  state: string;
  /** Suspicions that the feature itself reports, such as `impersonation`. */
  marks: readonly string[];
}

/** Decisions that change the visibility of a subject. */
export type VisibilityAction = 'hold' | 'remove' | 'restore';

/** A kind of subject that users can report. A feature lists its kinds in `reportable`. */
export interface ReportableKind {
  type: SubjectType;
  /** Finds a reported subject by id, slug or address if the caller may see it; null when it does not exist. */
  find(ctx: Ctx, named: string): Promise<Pick<Subject, 'id' | 'authorId'> | null>;
  /** Reads a subject for moderators and the content check, in any state; null once it is gone. */
  show(ctx: Ctx, id: string): Promise<ShownSubject | null>;
  /** Changes the visibility, in the transaction of the decision. Returns whether anything changed. */
  change(tx: Ctx, id: string, action: VisibilityAction): Promise<boolean>;
  /** Called in the transaction that opens a case because the content check flagged the subject. */
  onFlagged?(tx: Ctx, id: string): Promise<void>;
}

declare module '../core/feature.ts' {
  interface Feature {
    /** Kinds of subjects of the feature that users can report and moderators can decide on. */
    reportable?: readonly ReportableKind[];
  }
}

/**
 * Returns the kind of a subject.
 * @throws AppError `not_found` when no feature has this kind
 */
export function kindOf(ctx: Ctx, type: string): ReportableKind {
  for (const { reportable = [] } of ctx.catalog.features)
    for (const kind of reportable) if (kind.type === type) return kind;
  throw notFound();
}

/** Returns the id of a subject's case: `agent:…`. */
export const caseIdOf = ({ type, id }: Pick<Subject, 'type' | 'id'>): string => `${type}:${id}`;
