import { notFound } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { MeDocument, ModerationCaseDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

/** Throws "not found" for everyone but moderators, as the service does for their operations. */
export async function requireModerator(): Promise<void> {
  const { me } = await cache.query({ ...query(MeDocument, {}), staleTime: 'static' });
  if (!me.isModerator) notFound({ throw: true });
}

/** Reloads the case on each visit, because every access is recorded. */
export async function loadCase(subjectType: string, subjectId: string): Promise<void> {
  await requireModerator();
  await cache.query({ ...query(ModerationCaseDocument, { subjectType, subjectId }), staleTime: 0 });
}
