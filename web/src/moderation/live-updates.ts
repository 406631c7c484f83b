import { OwnDecisionsDocument } from '../api/generated/operations.ts';
import type { LiveUpdates } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';

export const moderationUpdates: LiveUpdates = {
  MODERATION_DECIDED: (cache) => void cache.invalidateQueries({ queryKey: keyOf(OwnDecisionsDocument) }),
};
