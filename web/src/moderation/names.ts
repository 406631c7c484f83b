import type { ModerationAction, ReportReason, ReportStatus, SubjectType } from '../api/generated/operations.ts';
import type { StatusTone } from '../parts/figures/status.tsx';
import { texts } from './texts.ts';

/** The reasons of reports and decisions, in the order in which they are offered. */
export const reasonNames: readonly (readonly [ReportReason, string])[] = [
  ['SPAM', texts.spam],
  ['DECEPTION', texts.deception],
  ['HARASSMENT', texts.harassment],
  ['HATE', texts.hate],
  ['VIOLENCE', texts.violence],
  ['SEXUAL', texts.sexual],
  ['MINORS', texts.minors],
  ['SELF_HARM', texts.selfHarm],
  ['PRIVACY', texts.privacy],
  ['COPYRIGHT', texts.copyright],
  ['ILLEGAL', texts.illegal],
  ['OTHER', texts.other],
];
const reasons = new Map(reasonNames);
export const reasonName = (reason: ReportReason): string => reasons.get(reason) ?? reason;

export const subjectNames: Readonly<Record<SubjectType, string>> = {
  AGENT: texts.agent,
  REVIEW: texts.review,
  USER: texts.profile,
  SHARE: texts.share,
  ROOM: texts.room,
  ROOM_MESSAGE: texts.message,
  IMAGE: texts.image,
};

type Shown = readonly [tone: StatusTone, name: string];

/** The state that a decision results in, with its tone. */
export const decisionStates: Readonly<Record<ModerationAction, Shown>> = {
  NONE: ['muted', texts.nothingDone],
  HOLD: ['warn', texts.held],
  REMOVE: ['bad', texts.removed],
  RESTORE: ['good', texts.restored],
  RESTRICT_AUTHOR: ['bad', texts.restricted],
};

/** The outcome of an appeal, as part of a sentence. */
export const outcomeNames: Readonly<Record<ModerationAction, string>> = {
  NONE: texts.outcomeStands,
  HOLD: texts.outcomeHeld,
  REMOVE: texts.outcomeRemoved,
  RESTORE: texts.outcomeGranted,
  RESTRICT_AUTHOR: texts.outcomeRestricted,
};

export const reportStates: Readonly<Record<ReportStatus, Shown>> = {
  RECEIVED: ['warn', texts.received],
  ACTIONED: ['good', texts.done],
  DISMISSED: ['muted', texts.dismissed],
};

const subjectStates: Readonly<Record<string, Shown>> = {
  ok: ['good', texts.ok],
  in_review: ['warn', texts.inReview],
  held: ['warn', texts.held],
  removed: ['bad', texts.removed],
};
export const subjectState = (state: string): Shown => subjectStates[state] ?? ['muted', state];

const marks: Readonly<Record<string, string>> = {
  follow_spam: texts.followSpam,
  impersonation: texts.impersonation,
  waiting: texts.waiting,
};

/** Returns why a case was opened other than by reports. */
export const markName = (mark: string): string => marks[mark] ?? texts.flagged(mark);
