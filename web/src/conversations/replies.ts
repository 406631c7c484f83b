import type { QueryClient } from '@tanstack/react-query';
import {
  ConversationDocument,
  ConversationsDocument,
  StopGenerationDocument,
  type ThreadMessageFragment,
  UsageDocument,
} from '../api/generated/operations.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { setUnsent, unsentIn } from '../chat/drafts.ts';
import { findLiveReply, removeLiveReply, startLiveReply } from '../chat/live-replies.ts';
import { editing, regenerating, running, sending } from '../chat/reply-sources.ts';
import type { ReplySource } from '../chat/reply.ts';
import { notifyFailure } from '../parts/toast-store.ts';
import { preferences } from '../preferences/preferences.ts';
import { isTalking } from '../voice/talking.ts';
import { readAloud } from './read-aloud.tsx';
import { notifyReply } from './reply-notification.ts';
import { texts } from './texts.ts';
import { dropFrom, isHeadDropped, reloadThread, showStored } from './thread-query.ts';

/** When to refetch titles: the service generates one shortly after the first reply. */
const titleDelaysMs = [1_500, 5_000];

/** Queues a message for sending. It is kept on this device until the service confirms that it is stored. */
export function send(cache: QueryClient, conversationId: string, content: string): void {
  setUnsent(conversationId, [...unsentIn(conversationId), { content, key: newIdempotencyKey() }]);
  if (!findLiveReply(conversationId) || unsentIn(conversationId).length === 1) sendNext(cache, conversationId);
}

function sendNext(cache: QueryClient, conversationId: string): void {
  const [next] = unsentIn(conversationId);
  if (!next) return;
  begin(cache, conversationId, next.content, sending(conversationId, next.content, next.key), {
    key: next.key,
  });
}

/** Requests a reply to a stored message that has none. Without a key, the same text counts as that message. */
export const answerAgain = (cache: QueryClient, conversationId: string, content: string): void =>
  begin(cache, conversationId, null, sending(conversationId, content, undefined));

export function regenerate(cache: QueryClient, conversationId: string, message: ThreadMessageFragment): void {
  dropFrom(cache, conversationId, message);
  begin(cache, conversationId, null, regenerating(conversationId, message.id, newIdempotencyKey()));
}

export function edit(
  cache: QueryClient,
  conversationId: string,
  message: ThreadMessageFragment,
  content: string,
): void {
  dropFrom(cache, conversationId, message);
  begin(cache, conversationId, content, editing(conversationId, message.id, content, newIdempotencyKey()));
}

/** Sends a message that was not sent before the page was loaded, or shows a reply that was running. */
export function pickUp(cache: QueryClient, conversationId: string, generationId: string | null): void {
  if (findLiveReply(conversationId)) return;
  if (unsentIn(conversationId).length > 0) sendNext(cache, conversationId);
  else if (generationId) readAlong(cache, conversationId, generationId);
}

/** Shows a reply that was started elsewhere. Replaces the reply that was shown before. */
export function readAlong(cache: QueryClient, conversationId: string, generationId: string): void {
  if (findLiveReply(conversationId)?.state.generationId === generationId) return;
  begin(cache, conversationId, null, running(conversationId, generationId), { generationId });
}

export async function stop(conversationId: string): Promise<void> {
  try {
    await request(StopGenerationDocument, { conversationId });
  } catch (error) {
    notifyFailure(texts.replyNotStopped, error, () => void stop(conversationId));
  }
}

export const retry = (conversationId: string): void => void findLiveReply(conversationId)?.read();

/** Cancels an unsent message: the one being sent, or with `key` any that is queued. Returns its text. */
export function takeBack(cache: QueryClient, conversationId: string, key?: string): string {
  const waiting = unsentIn(conversationId);
  const taken = waiting.find((message) => message.key === (key ?? waiting[0]?.key));
  setUnsent(
    conversationId,
    waiting.filter((message) => message !== taken),
  );
  if (taken === waiting[0]) {
    removeLiveReply(conversationId);
    void reloadThread(cache, conversationId);
    sendNext(cache, conversationId);
  }
  return taken?.content ?? '';
}

function begin(
  cache: QueryClient,
  conversationId: string,
  question: string | null,
  source: ReplySource,
  { key, generationId }: { key?: string; generationId?: string } = {},
): void {
  if (isHeadDropped(cache, conversationId)) void reloadThread(cache, conversationId);
  startLiveReply(conversationId, {
    question,
    source,
    generationId,
    onDone: async ({ messageId }) => {
      setUnsent(
        conversationId,
        unsentIn(conversationId).filter((message) => message.key !== key),
      );
      await showStored(cache, conversationId).catch(() => reloadThread(cache, conversationId));
      notifyReply(cache, conversationId);
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
      for (const delay of titleDelaysMs) setTimeout(() => void refreshTitles(cache, conversationId), delay);
      const isRead = preferences().readAloud && !isTalking();
      if (isRead && messageId && !document.hidden) void readAloud(conversationId, messageId);
    },
    onGone: () => sendNext(cache, conversationId),
  });
}

async function refreshTitles(cache: QueryClient, conversationId: string): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) }),
    cache.invalidateQueries({ queryKey: keyOf(ConversationDocument, { id: conversationId }) }),
  ]);
}
