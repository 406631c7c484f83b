import { texts } from './texts.ts';

/** The reply modes, which decide what agents reply to a message, with their texts. */
export const replyModes = [
  ['MENTION', texts.modeMention],
  ['ROTATE', texts.modeRotate],
  ['ALL', texts.modeAll],
  ['AUTO', texts.modeAuto],
] as const;
