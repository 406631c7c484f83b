import type { QueryClient } from '@tanstack/react-query';
import { unsent } from '../chat/drafts.ts';
import { agentOfNewChat, sendFirstMessages } from './first-messages.ts';
import { pickUp } from './replies.ts';

/** Sends every message that is stored on this device. */
export function sendUnsent(cache: QueryClient): void {
  for (const name of unsent.names()) {
    const agentId = agentOfNewChat(name);
    if (agentId === null) pickUp(cache, name, null);
    else sendFirstMessages(cache, agentId);
  }
}
