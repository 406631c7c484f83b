import { lockLiveVersion } from '../agents/live-version.ts';
import type { Ctx } from '../core/ctx.ts';
import type { ConversationSource } from './conversation-source.ts';
import { assignVariant, type Variant } from './experiments/assign-variant.ts';
import { expose } from './experiments/expose.ts';

/** The data that selects the version of an agent for a conversation. It is read while the conversation is locked. */
export interface VersionChoice {
  liveVersionId: string | null;
  /** Version to which the conversation is pinned; null if there is none or it was deleted. */
  pinnedVersionId: string | null;
  source: ConversationSource;
  /** Id of the agent's running experiment, if any. */
  experimentId: string | null;
  variants: readonly Variant[] | null;
  /** Variant to which the conversation's person was assigned earlier, if any. */
  exposedVariant: string | null;
}

/** SQL for the experiment subject of a conversation `c`: the user, or the conversation itself in other channels. */
const subjectOf = `case c.source when 'direct' then c.user_id else c.id end`;

/** Columns and joins that select `VersionChoice` in a statement on a conversation `c` and its agent `a`. */
export const versionChoice = {
  columns: `a.live_version_id as "liveVersionId", pv.id as "pinnedVersionId", c.source,
    x.id as "experimentId", x.variants, xe.variant as "exposedVariant"`,
  joins: `left join agent_versions pv on pv.id = c.version_id and pv.agent_id = c.agent_id
    left join experiments x on x.agent_id = c.agent_id and x.status = 'running'
    left join experiment_exposures xe on xe.experiment_id = x.id and xe.subject = ${subjectOf}`,
};

/** A conversation, with its choice of a version. */
export interface VersionedConversation extends VersionChoice {
  /** Id of the conversation. */
  id: string;
  userId: string;
  agentId: string;
  ownerId: string;
}

/**
 * Returns the id of the version that replies to a message, or that greets if there is none yet: the version to which the
 * conversation is pinned, the person's variant in a running experiment, or the live version. A person's first exposure
 * is stored in the transaction without waiting for the result. Direct conversations of the agent's owner are not part
 * of experiments.
 */
export async function chooseVersion(
  tx: Ctx,
  conversation: VersionedConversation,
  userMessageId: string | null,
): Promise<string> {
  if (conversation.pinnedVersionId) return conversation.pinnedVersionId;
  const { experimentId, variants, exposedVariant, source, userId } = conversation;
  if (experimentId && variants && (source !== 'direct' || userId !== conversation.ownerId)) {
    const met = variants.find(({ key }) => key === exposedVariant);
    if (met) return met.versionId;
    const subject = source === 'direct' ? userId : conversation.id;
    const variant = assignVariant(experimentId, subject, variants);
    await expose(tx, { experimentId, subject, variant: variant.key, userId, messageId: userMessageId });
    return variant.versionId;
  }
  return conversation.liveVersionId ?? lockLiveVersion(tx, conversation.agentId);
}
