/** An accepted message: `followReply` yields its reply. */
export interface AcceptedMessage {
  generationId: string;
  conversationId: string;
  userMessageId: string;
  /** The id that the reply gets once it is stored. */
  assistantMessageId: string;
  /** Whether the message had been accepted before: its reply is joined or replayed. */
  isReplay: boolean;
}

/** What a generation needs to run. */
export interface GenerationJob {
  generationId: string;
  conversationId: string;
  userId: string;
  agentId: string;
  userMessageId: string;
  assistantMessageId: string;
  /** Of the user's message. */
  content: string;
}
