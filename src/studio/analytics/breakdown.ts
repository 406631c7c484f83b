import type { Ctx } from '../../core/ctx.ts';
import type { Breakdown } from './analytics.input.ts';
import { latencyOf, sumOf } from './figures.ts';
import { type DayGroup, isReleased, shownGroups } from './release.ts';
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

const keyOfGroup = ({ key, group }: DayGroup): string => `${key} ${group}`;

const readVersions = {
  name: 'studio_version_numbers',
  text: `select id, number from agent_versions where agent_id = $1`,
};

/**
 * Returns the released figures by version or source; they add up to the totals. If a day has groups that are too small,
 * these and the smallest of the others are combined into `other`.
 */
export async function breakdownOf(
  ctx: Ctx,
  agentId: string | null,
  by: Breakdown,
  view: View,
): Promise<BreakdownItem[]> {
  const { figures, people, release, isAdvanced } = view;
  const countable = new Map(people.groups.map((group) => [keyOfGroup(group), group.countable]));
  // Groups whose people are all purged have figures but no people, so they count as empty.
  const shown = new Map(
    [...Map.groupBy(figures, (cell) => cell.key)].map(([key, cells]) => {
      const groups = [...new Set(cells.map(({ group }) => group))];
      const counted = groups.map((group) => ({ group, countable: countable.get(`${key} ${group}`) ?? 0 }));
      return [key, release.days.has(key) ? shownGroups(counted) : new Set<string | null>()];
    }),
  );
  const labelled = figures
    .filter((cell) => isReleased(release, cell))
    .map((cell) => ({ cell, label: shown.get(cell.key)?.has(cell.group) ? cell.group : null }));
  const versions =
    agentId && by === 'version' ? await ctx.sql<{ id: string; number: number }>(readVersions, [agentId]) : [];
  return [...Map.groupBy(labelled, ({ label }) => label)]
    .map(([label, cells]) => {
      const sum = sumOf(cells.map(({ cell }) => cell));
      const { firstWords: _first, replyTimes: _times, inputTokens, outputTokens, ...basic } = sum;
      const latency = latencyOf(sum);
      const number = by === 'version' && label !== null ? Number(label) : null;
      return {
        versionId: versions.find((version) => version.number === number)?.id ?? null,
        versionNumber: number,
        source: by === 'source' ? label : null,
        isOther: label === null,
        ...basic,
        ...(isAdvanced ? { ...latency, inputTokens, outputTokens } : noAdvanced),
        suppressed: false,
      };
    })
    .toSorted((a, b) => Number(a.isOther) - Number(b.isOther) || b.messages - a.messages);
}
