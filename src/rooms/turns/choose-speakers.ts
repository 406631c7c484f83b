import type { RoomReplyMode } from '../room.input.ts';

export interface SpeakerChoice {
  replyMode: RoomReplyMode;
  repliesPerMessage: number;
  /** Agents in the order of the room. */
  agents: readonly { agentId: string; muted: boolean; position: number }[];
  /** Agents that the message addresses, in the order of the message. */
  addressed: readonly string[];
  /** Number of people who joined. */
  people: number;
  /** Position of the agent that replied last under `rotate`, or of its predecessor if it has left. */
  rotatedPosition: number | null;
}

/**
 * Returns the agents that reply to a person's message, in order. Muted agents never reply, even when addressed. Under
 * `auto`, a model may choose more of them later; see choose-by-model.ts.
 */
export function chooseSpeakers(choice: SpeakerChoice): string[] {
  const { replyMode, agents, people, repliesPerMessage } = choice;
  const awake = agents.filter(({ muted }) => !muted).toSorted((a, b) => a.position - b.position);
  const ids = awake.map(({ agentId }) => agentId);
  const addressed = choice.addressed.filter((id) => ids.includes(id));
  if (replyMode === 'all')
    return [...new Set([...addressed, ...ids])].slice(0, Math.max(repliesPerMessage, addressed.length));
  if (addressed.length > 0) return addressed;
  if (replyMode === 'rotate') return nextInTurn(awake, choice.rotatedPosition);
  // With one person and one agent, the agent replies without a mention.
  return replyMode === 'mention' && people === 1 && agents.length === 1 ? ids : [];
}

function nextInTurn(awake: SpeakerChoice['agents'], rotatedPosition: number | null): string[] {
  const next = awake.find(({ position }) => position > (rotatedPosition ?? 0)) ?? awake[0];
  return next ? [next.agentId] : [];
}
