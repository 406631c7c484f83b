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

/** A generation and the account that it belongs to. */
export interface OwnedGeneration {
  id: string;
  userId: string;
}

/** What may be due once a reply is stored, as its prompt was read. */
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
  /** Of the user's message. */
  content: string;
  /** Whether the reply replaces what follows the user's message. */
  isRegeneration: boolean;
}
