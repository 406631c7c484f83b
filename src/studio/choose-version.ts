import { lockLiveVersion } from '../agents/live-version.ts';
import type { Ctx } from '../core/ctx.ts';
import type { ConversationSource } from './conversation-source.ts';
import { assignVariant, type Variant } from './experiments/assign-variant.ts';
import { expose } from './experiments/expose.ts';

/** The data that selects the version of an agent for a conversation, read under its lock. */
export interface VersionChoice {
  liveVersionId: string | null;
  /** The version to which the conversation is pinned, if that still exists. */
  pinnedVersionId: string | null;
  source: ConversationSource;
  /** The running experiment with the agent. */
  experimentId: string | null;
  variants: readonly Variant[] | null;
  /** The variant that the person of the conversation met before. */
  exposedVariant: string | null;
}

/** The person of a conversation `c` in an experiment. */
const subjectOf = `case c.source when 'direct' then c.user_id else c.id end`;

/** Columns of `VersionChoice` for a statement that reads a conversation `c` with its agent `a`. */
export const versionChoice = {
  columns: `a.live_version_id as "liveVersionId", pv.id as "pinnedVersionId", c.source,
    x.id as "experimentId", x.variants, xe.variant as "exposedVariant"`,
  joins: `left join agent_versions pv on pv.id = c.version_id and pv.agent_id = c.agent_id
    left join experiments x on x.agent_id = c.agent_id and x.status = 'running'
    left join experiment_exposures xe on xe.experiment_id = x.id and xe.subject = ${subjectOf}`,
};

interface Place extends VersionChoice {
  /** Of the conversation. */
  id: string;
  userId: string;
  agentId: string;
  ownerId: string;
}

/**
 * The version that answers: the one to which the conversation is pinned, the person's variant of a running experiment, or
 * the live one. Stores the first exposure of a person in the transaction, without waiting for it. The owner is never a
 * person of an experiment.
 */
export async function chooseVersion(tx: Ctx, place: Place, userMessageId: string): Promise<string> {
  if (place.pinnedVersionId) return place.pinnedVersionId;
  const { experimentId, variants, exposedVariant, source, userId } = place;
  if (experimentId && variants && (source !== 'direct' || userId !== place.ownerId)) {
    const met = variants.find(({ key }) => key === exposedVariant);
    if (met) return met.versionId;
    const subject = source === 'direct' ? userId : place.id;
    const variant = assignVariant(experimentId, subject, variants);
    await expose(tx, { experimentId, subject, variant: variant.key, userId, messageId: userMessageId });
    return variant.versionId;
  }
  return place.liveVersionId ?? lockLiveVersion(tx, place.agentId);
}
