/** An accepted message. `followReply` yields its reply. */
export interface AcceptedMessage {
  generationId: string;
  conversationId: string;
  userMessageId: string;
  /** Id of the reply once it is stored. */
  assistantMessageId: string;
  /** Whether the message had been accepted before, so that its reply is joined or replayed. */
  isReplay: boolean;
}

/** A generation and its account. */
export interface OwnedGeneration {
  id: string;
  userId: string;
}

/** Tasks that may be due once a reply is stored, as known when the prompt was read. */
export interface AfterReply {
  title: boolean;
  summary: boolean;
}

/** The input of a generation. */
export interface GenerationJob {
  generationId: string;
  conversationId: string;
  userId: string;
  agentId: string;
  userMessageId: string;
  assistantMessageId: string;
  /** Content of the user's message. */
  content: string;
  /** Whether the reply replaces the messages that follow the user's message. */
  isRegeneration: boolean;
}
