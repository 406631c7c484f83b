import type { AgentCategory } from '../../api/generated/operations.ts';
import { texts } from '../texts.ts';

/** The categories of agents, in the order in which they are offered. */
export const categoryNames: readonly (readonly [AgentCategory, string])[] = [
  ['ASSISTANT', texts.assistants],
  ['TUTOR', texts.tutors],
  ['DEVELOPER', texts.developers],
  ['CREATIVE', texts.creative],
  ['COACH', texts.coaches],
  ['COMPANION', texts.companions],
  ['CHARACTER', texts.personas],
  ['OTHER', texts.otherCategory],
];
