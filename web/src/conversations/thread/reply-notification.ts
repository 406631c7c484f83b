import type { QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { preferences } from '../../preferences/preferences.ts';
import { texts } from '../texts.ts';
import { conversationQuery } from './thread-query.ts';

let open: (conversationId: string) => void = () => undefined;

/** Opens the conversation of a notification when it is clicked. */
export function useNotifiedConversation(): void {
  const navigate = useNavigate();
  useEffect(() => {
    open = (conversationId) => void navigate({ to: '/chat/$conversationId', params: { conversationId } });
  }, [navigate]);
}

/**
 * Shows a system notification for a complete reply while the tab is hidden, if the person enabled that. It shows only the
 * agent's name, because others may see the screen.
 */
export function notifyReply(cache: QueryClient, conversationId: string): void {
  if (!preferences().notifyReplies || !document.hidden) return;
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const agent = cache.getQueryData(conversationQuery(conversationId).queryKey)?.conversation.agent;
  try {
    const notification = new Notification(texts.hasReplied(agent?.name), { tag: conversationId });
    notification.addEventListener('click', () => {
      window.focus();
      open(conversationId);
      notification.close();
    });
  } catch {
    // Mobile browsers have the class, but only service workers may show notifications.
  }
}
