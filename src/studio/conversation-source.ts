/** Where the person of a conversation comes from: the service itself, or a place in which the owner offers the agent. */
export const conversationSources = ['direct', 'integration', 'embed'] as const;

export type ConversationSource = (typeof conversationSources)[number];
