import type { ModerationCaseQuery } from '../api/generated/operations.ts';

/** A case as its screen shows it. */
export type CaseFile = ModerationCaseQuery['moderationCase'];
