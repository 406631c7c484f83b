import type { Ctx } from '../../core/ctx.ts';
import type { Breakdown } from './analytics.input.ts';
import { latencyOf } from './histogram.ts';
import { type Figures, noAdvanced, type View } from './shown-figures.ts';

/** Figures of one version or source. Numbers of people are left out, because a person can use several. */
export interface BreakdownItem extends Omit<
  Figures,
  'people' | 'newPeople' | 'returningPeople' | 'retentionD1' | 'retentionD7' | 'listingViews' | 'likes'
> {
  /** Id of the version; null for `other`, by source, and across several agents. */
  versionId: string | null;
  /** Across several agents, the item has the figures of all versions with this number. */
  versionNumber: number | null;
  source: string | null;
  /** Whether the item combines the groups that are too small to be shown. */
  isOther: boolean;
}

const readVersions = {
  name: 'studio_version_numbers',
  text: `select id, number from agent_versions where agent_id = $1`,
};

/**
 * Returns the released figures by version or source; they add up to the totals. Groups that are too small are combined
 * into `other` (figures.ts).
 */
export async function breakdownOf(
  ctx: Ctx,
  agentId: string | null,
  by: Breakdown,
  { parts, isAdvanced }: View,
): Promise<BreakdownItem[]> {
  const versions =
    agentId && by === 'version' ? await ctx.sql<{ id: string; number: number }>(readVersions, [agentId]) : [];
  return parts
    .map(({ label, ...sum }) => {
      const { firstWords: _first, replyTimes: _times, inputTokens, outputTokens, ...basic } = sum;
      const number = by === 'version' && label !== null ? Number(label) : null;
      return {
        versionId: versions.find((version) => version.number === number)?.id ?? null,
        versionNumber: number,
        source: by === 'source' ? label : null,
        isOther: label === null,
        ...basic,
        ...(isAdvanced ? { ...latencyOf(sum), inputTokens, outputTokens } : noAdvanced),
        suppressed: false,
      };
    })
    .toSorted((a, b) => Number(a.isOther) - Number(b.isOther) || b.messages - a.messages);
}
