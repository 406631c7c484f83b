import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { requireAllowedText } from '../../moderation/require-allowed.ts';
import type { SharedMessage } from './share.entity.ts';

/** What one check reads. */
const maxCharacters = 20_000;

/**
 * Checks the texts of a share before followers see it. Returns false when the check is down: the share then appears, and is
 * checked later. Makes a network call, so it must run outside of a transaction.
 * @throws AppError `invalid_request` with the detail `content_refused`
 */
export async function isAllowed(ctx: Ctx, texts: readonly string[]): Promise<boolean> {
  try {
    for (const part of partsOf(texts)) await requireAllowedText(ctx, 'note', part);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return false;
    throw error;
  }
}

/** Joins short texts, so that a share takes few checks. */
function partsOf(texts: readonly string[]): string[] {
  const joined = texts.join('\n\n');
  return Array.from({ length: Math.ceil(joined.length / maxCharacters) }, (_, i) =>
    joined.slice(i * maxCharacters, (i + 1) * maxCharacters).toWellFormed(),
  );
}

const findTexts = {
  name: 'share_texts',
  text: `
    select title, note, snapshot from shares where id = $1 and revoked_at is null and removed_at is null and in_feed`,
};
const takeOut = {
  name: 'share_remove_refused',
  text: `update shares set removed_at = $2 where id = $1 and removed_at is null`,
};

interface Texts {
  title: string | null;
  note: string | null;
  snapshot: SharedMessage[] | null;
}

/** Checks a share that appeared while the check was down, and takes it down if it is refused. @throws AppError `unavailable`, to be retried */
export async function checkShareLater(ctx: Ctx, shareId: string): Promise<void> {
  const [share] = await ctx.sql<Texts>(findTexts, [shareId]);
  if (!share) return;
  const texts = [share.title, share.note, ...(share.snapshot ?? []).map(({ content }) => content)];
  try {
    if (
      await isAllowed(
        ctx,
        texts.filter((text) => text !== null),
      )
    )
      return;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    await ctx.sql(takeOut, [shareId, ctx.clock.now()]);
    return;
  }
  throw new AppError('unavailable');
}
