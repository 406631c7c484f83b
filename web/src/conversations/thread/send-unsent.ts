import type { QueryClient } from '@tanstack/react-query';
import { agentOfNewChat, sendFirstMessages } from '../new-chat/first-messages.ts';
import { pickUp } from './replies.ts';

/** Sends the messages that are stored under these names, of conversations and of new chats. */
export function sendUnsent(cache: QueryClient, names: readonly string[]): void {
  for (const name of names) {
    const agentId = agentOfNewChat(name);
    if (agentId === null) pickUp(cache, name, null);
    else sendFirstMessages(cache, agentId);
  }
}
