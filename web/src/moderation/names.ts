import type { ReportReason } from '../api/generated/operations.ts';
import { texts } from './texts.ts';

/** Why something may not be allowed, in the order in which it is offered. */
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
