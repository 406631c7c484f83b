import { texts } from './texts.ts';

/** Which agents answer a message of a person, and how that is said. */
export const replyModes = [
  ['MENTION', texts.modeMention],
  ['ROTATE', texts.modeRotate],
  ['ALL', texts.modeAll],
  ['AUTO', texts.modeAuto],
] as const;
