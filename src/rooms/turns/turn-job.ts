/** The input of a turn. */
export interface TurnJob {
  id: string;
  roomId: string;
  agentId: string;
  agentName: string;
  agentAvatarUrl: string | null;
  /** Who caused it. */
  userId: string;
  payerId: string;
  rootId: string;
  /** The id of the reply. */
  messageId: string;
  hop: number;
}
