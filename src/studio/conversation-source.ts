/** Where the person of a conversation comes from: the service itself, or a place in which the owner offers the agent. */
export type ConversationSource = 'direct' | 'integration' | 'embed';

/** Where an agent is used: in conversations, or in rooms. */
export type UseSource = ConversationSource | 'room';
