/**
 * The channel of a conversation: the service itself (`direct`), or a chat platform or website where the owner offers
 * the agent.
 */
export type ConversationSource = 'direct' | 'integration' | 'embed';

/** The channel in which an agent is used, including rooms. */
export type UseSource = ConversationSource | 'room';
