import type { Ctx } from '../core/ctx.ts';
import { invalidField } from '../core/errors.ts';

/** Where banners are shown: on listings of agents or on profiles. Other features declare theirs in `bannerTargets`. */
export interface BannerTarget {
  of: 'agent' | 'profile';
  /** Returns the URL that is shown now, by the id of the agent or the user. */
  read(tx: Ctx, id: string): Promise<string | null>;
  /** Shows a banner of the caller, or removes it when `url` is null. */
  show(tx: Ctx, id: string, url: string | null): Promise<void>;
  /** Returns where a user shows a URL: ids, and names for a message. */
  find(tx: Ctx, userId: string, url: string): Promise<{ id: string; name: string }[]>;
}

declare module '../core/feature.ts' {
  interface Feature {
    bannerTargets?: readonly BannerTarget[];
  }
}

const allTargets = ({ catalog }: Ctx): BannerTarget[] =>
  catalog.features.flatMap(({ bannerTargets = [] }) => bannerTargets);

/**
 * Returns the target for the banner of an agent or of the caller's profile.
 * @throws AppError `invalid_request` when there is none
 */
export function bannerTarget(tx: Ctx, { agentId }: { agentId: string | null }): BannerTarget {
  const found = allTargets(tx).find(({ of }) => of === (agentId === null ? 'profile' : 'agent'));
  if (found) return found;
  throw invalidField('kind', 'not_applicable', 'A banner belongs to an agent’s listing. Set agent_id.');
}

interface ShownBanner extends Pick<BannerTarget, 'of'> {
  name: string;
  clear: () => Promise<void>;
}

/** Returns where a user shows a banner, each with a function that clears it. */
export async function bannersThatShow(tx: Ctx, userId: string, url: string): Promise<ShownBanner[]> {
  const shown: ShownBanner[] = [];
  for (const target of allTargets(tx)) {
    for (const { id, name } of await target.find(tx, userId, url))
      shown.push({ of: target.of, name, clear: () => target.show(tx, id, null) });
  }
  return shown;
}
