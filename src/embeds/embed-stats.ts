import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { embedStatsInput, type IdentityFault, identityFaults } from './embed.input.ts';
import { getEmbed } from './embeds.ts';
import { onReplica } from '../core/database/replica.ts';

/** Statistics of an embed on a UTC day. */
export interface EmbedDayStats {
  /** Date as `YYYY-MM-DD`. */
  date: string;
  visitors: number;
  messages: number;
  refused: { perDay: number; perVisitorDay: number; perAddressHour: number };
  /** Refused identity tokens of visitors by fault; only faults that occurred. */
  identityFaults: { fault: IdentityFault; count: number }[];
  /** Number of messages that were charged to the owner's daily quota. */
  cost: number;
}

interface Row extends Omit<EmbedDayStats, 'refused' | 'identityFaults'> {
  faults: Partial<Record<IdentityFault, number>>;
  perDay: number;
  perVisitorDay: number;
  perAddressHour: number;
}

const select = {
  name: 'embed_stats',
  text: `
    select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(visitors, 0) as visitors, coalesce(messages, 0) as messages,
      coalesce(messages - refunds, 0) as cost, coalesce(refused_per_day, 0) as "perDay",
      coalesce(refused_per_visitor_day, 0) as "perVisitorDay", coalesce(refused_per_address_hour, 0) as "perAddressHour",
      coalesce(identity_faults, '{}') as faults
    from generate_series($2::date - ($3::integer - 1), $2::date, interval '1 day') as days (day)
    left join embed_days d on d.embed_id = $1 and d.day = days.day::date
    order by days.day`,
};

/**
 * Returns the statistics of the last days of one of the caller's embeds, including today, oldest first.
 * @throws AppError `invalid_request`, `not_found`
 */
export const getEmbedStats = onReplica(
  async (ctx: Ctx, id: string, input: unknown): Promise<{ embedId: string; days: EmbedDayStats[] }> => {
    const { days } = parseInput(embedStatsInput, input);
    const embed = await getEmbed(ctx, id);
    const today = ctx.clock.now().toISOString().slice(0, 10);
    const rows = await ctx.sql<Row>(select, [embed.id, today, days]);
    return {
      embedId: embed.id,
      days: rows.map(({ perDay, perVisitorDay, perAddressHour, faults, ...day }) => ({
        ...day,
        refused: { perDay, perVisitorDay, perAddressHour },
        identityFaults: identityFaults.flatMap((fault) => {
          const count = faults[fault] ?? 0;
          return count > 0 ? [{ fault, count }] : [];
        }),
      })),
    };
  },
);
