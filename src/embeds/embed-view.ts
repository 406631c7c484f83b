import { requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { dailyCapOf } from './daily-cap.ts';
import { Embed } from './embed.entity.ts';

/** An embed as it is stored, with its counts and without its secrets. */
export interface EmbedRow extends Omit<
  Embed,
  'identitySecret' | 'previousSecret' | 'previousSecretExpiresAt' | 'challengeSecret' | 'deletedAt'
> {
  /** Number of all messages. */
  messageCount: number;
  /** Number of all visitors. */
  visitorCount: number;
}

/** An embed with the daily cap that applies. */
export type EmbedView = Omit<EmbedRow, 'defaultPerDay'>;

/** Returns an embed of the caller with the daily cap of their plan. */
export const toEmbedView =
  (ctx: Ctx) =>
  ({ defaultPerDay, ...embed }: EmbedRow): EmbedView => ({
    ...embed,
    perDay: dailyCapOf(ctx, requireUser(ctx.actor).plan, { perDay: embed.perDay, defaultPerDay }),
  });

const columns = columnsOf(Embed, 'e', {
  except: ['identitySecret', 'previousSecret', 'previousSecretExpiresAt', 'challengeSecret', 'deletedAt'],
});

/** Select list of an `EmbedRow`. An embed has one row a day, so the sums are cheap. */
export const embedColumns = `${columns},
  (select coalesce(sum(d.messages), 0) from embed_days d where d.embed_id = e.id)::bigint as "messageCount",
  (select coalesce(sum(d.new_visitors), 0) from embed_days d where d.embed_id = e.id)::bigint as "visitorCount"`;
