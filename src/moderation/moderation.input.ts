import { z } from 'zod';
import { characters, trimmedText } from '../core/text/text-input.ts';
import { emailAddress } from '../core/text/email.ts';
import { orDefault, pageInput } from '../core/pagination.ts';

export const subjectTypes = ['agent', 'review', 'user', 'share', 'room', 'room_message', 'image'] as const;
export type SubjectType = (typeof subjectTypes)[number];

export const reportReasons = [
  'illegal',
  'sexual',
  'minors',
  'violence',
  'hate',
  'harassment',
  'self_harm',
  'deception',
  'privacy',
  'copyright',
  'spam',
  'other',
] as const;
export type ReportReason = (typeof reportReasons)[number];

export const decisionActions = ['none', 'hold', 'remove', 'restore', 'restrict_author'] as const;
export type DecisionAction = (typeof decisionActions)[number];

export const subjectId = characters({ min: 1, max: 500 });
const subject = { subjectType: z.enum(subjectTypes), subjectId };

export const reportInput = z.object({
  ...subject,
  reason: z.enum(reportReasons),
  comment: trimmedText({ max: 2_000 }).nullish(),
  contactEmail: emailAddress().nullish(),
});

export const decideInput = z.object({
  ...subject,
  action: z.enum(decisionActions),
  reason: z.enum(reportReasons),
  statement: trimmedText({ min: 1, max: 4_000 }),
});

export const appealInput = z.object({ text: trimmedText({ min: 1, max: 4_000 }) });

export const listInput = pageInput();

const caseStates = ['open', 'appealed', 'closed'] as const;
export type CaseState = (typeof caseStates)[number];

export const casesInput = listInput.extend({ state: orDefault(z.enum(caseStates), 'open') });
