/** Data of a turn that runs. */
export interface TurnJob {
  id: string;
  roomId: string;
  agentId: string;
  agentName: string;
  agentAvatarUrl: string | null;
  /** The person who caused the turn. */
  userId: string;
  payerId: string;
  rootId: string;
  /** Id of the reply. */
  messageId: string;
  hop: number;
}
