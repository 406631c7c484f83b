import type { QueryClient } from '@tanstack/react-query';
import {
  ConversationsDocument,
  StopGenerationDocument,
  type ThreadMessageFragment,
  UsageDocument,
} from '../../api/generated/operations.ts';
import type { ApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { keyOf } from '../../api/query.ts';
import { request } from '../../api/request.ts';
import { setUnsent, type Unsent, unsentIn } from '../../chat/drafts/drafts.ts';
import type { LiveReplyOptions, Replaced } from '../../chat/replies/live-reply.ts';
import { findLiveReply, keepFailed, removeLiveReply, startLiveReply } from '../../chat/replies/live-replies.ts';
import { ReplyFailed } from '../../chat/replies/reply.ts';
import { editing, regenerating, running, sending } from '../../chat/replies/reply-sources.ts';
import { notifyFailure } from '../../parts/layers/toast-store.ts';
import { preferences } from '../../preferences/preferences.ts';
import { isTalking } from '../../voice/talking.ts';
import { readAloud } from './read-aloud.tsx';
import { notifyReply } from './reply-notification.ts';
import { texts } from '../texts.ts';
import { conversationQuery, dropFrom, isHeadDropped, reloadThread, showStored } from './thread-query.ts';

/** When to refetch a missing title: the service generates one shortly after the first reply. */
const titleDelaysMs = [1_500, 5_000];

/**
 * Queues a message for sending, as a new version of another one with `replaces`. It is kept on this device until the
 * service confirms that it is stored.
 */
export function send(
  cache: QueryClient,
  conversationId: string,
  { content, key = newIdempotencyKey(), replaces }: Pick<Unsent, 'content' | 'replaces'> & { key?: string },
): void {
  setUnsent(conversationId, [...unsentIn(conversationId), { content, key, replaces }]);
  if (!findLiveReply(conversationId) || unsentIn(conversationId).length === 1) sendNext(cache, conversationId);
}

function sendNext(cache: QueryClient, conversationId: string): void {
  const [next] = unsentIn(conversationId);
  if (!next) return;
  const { content, key, replaces } = next;
  begin(cache, conversationId, {
    question: content,
    unsentKey: key,
    replaces,
    source: replaces ? editing(conversationId, replaces.id, content, key) : sending(conversationId, content, key),
    // The message waits until the reply to another one is complete.
    onBusy: (generationId) => readAlong(cache, conversationId, generationId),
  });
}

/**
 * Requests a reply to a stored message that has none, or only a broken one. Without a key, the same text counts as that
 * message.
 */
export const answerAgain = (cache: QueryClient, conversationId: string, content: string, broken?: Replaced): void =>
  begin(cache, conversationId, {
    question: null,
    replaces: broken,
    source: sending(conversationId, content, undefined),
  });

export function regenerate(cache: QueryClient, conversationId: string, message: ThreadMessageFragment): void {
  const source = regenerating(conversationId, message.id, newIdempotencyKey());
  begin(cache, conversationId, { question: null, replaces: message, source });
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
  begin(cache, conversationId, { question: null, source: running(conversationId, generationId), generationId });
}

/** Stops the reply. One that the service has not accepted yet is stopped once it has; one that is not requested is cancelled. */
export async function stop(conversationId: string): Promise<void> {
  const reply = findLiveReply(conversationId);
  const isBegun = typeof reply?.state.generationId === 'string';
  if (reply?.state.status === 'queued' && !isBegun) return removeLiveReply(conversationId);
  if (reply) reply.isStopDue = !isBegun;
  try {
    // Its own key: under the key of an earlier stop that got no response, it would stop nothing.
    const idempotencyKey = newIdempotencyKey();
    const { stopGeneration } = await request(StopGenerationDocument, { conversationId }, { idempotencyKey });
    if (stopGeneration.stopped && reply) reply.isStopDue = false;
  } catch (error) {
    if (reply) reply.isStopDue = false;
    notifyFailure(texts.replyNotStopped, error, () => void stop(conversationId));
  }
}

export const retry = (conversationId: string): void => void findLiveReply(conversationId)?.read();

/** Cancels an unsent message: the one being sent, or with `key` any that is queued. Returns its text. */
export function takeBack(cache: QueryClient, conversationId: string, key?: string): string {
  const waiting = unsentIn(conversationId);
  const taken = waiting.find((message) => message.key === (key ?? findLiveReply(conversationId)?.state.unsentKey));
  setUnsent(
    conversationId,
    waiting.filter((message) => message !== taken),
  );
  if (taken && taken.key === findLiveReply(conversationId)?.state.unsentKey) {
    removeLiveReply(conversationId);
    void reloadThread(cache, conversationId);
    sendNext(cache, conversationId);
  }
  return taken?.content ?? '';
}

function begin(
  cache: QueryClient,
  conversationId: string,
  reply: Pick<LiveReplyOptions, 'question' | 'unsentKey' | 'replaces' | 'source' | 'generationId' | 'onBusy'>,
): void {
  if (isHeadDropped(cache, conversationId)) void reloadThread(cache, conversationId);
  startLiveReply(conversationId, {
    ...reply,
    onStopDue: () => void stop(conversationId),
    onDone: async ({ messageId }) => {
      forget(conversationId, reply);
      await replaceByStored(cache, conversationId, reply);
      notifyReply(cache, conversationId);
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
      void refresh(cache, conversationId);
      for (const delay of titleDelaysMs) setTimeout(() => void refreshTitle(cache, conversationId), delay);
      const isRead = preferences().readAloud && !isTalking();
      if (isRead && messageId && !document.hidden) void readAloud(conversationId, messageId);
    },
    onGone: (generationId) => {
      sendNext(cache, conversationId);
      // The page learned of a next reply while this one was still shown.
      const next = cache.getQueryData(conversationQuery(conversationId).queryKey)?.conversation.generation;
      if (next?.state === 'RUNNING' && next.id !== generationId) pickUp(cache, conversationId, next.id);
    },
    onFailed: (error) => {
      // The conversation may be deleted: its page says so once the request for it is refused.
      if (error.code === 'NOT_FOUND') void refresh(cache, conversationId);
      if (!isUnanswered(error, reply)) return false;
      void showUnanswered(cache, conversationId, reply, error);
      return true;
    },
  });
}

type Begun = Pick<LiveReplyOptions, 'unsentKey' | 'replaces'>;

/** Whether the failure means that the message is stored and has no reply. */
function isUnanswered(error: ApiError, { unsentKey, replaces }: Begun): boolean {
  if (error instanceof ReplyFailed)
    return unsentKey !== undefined || replaces === undefined || replaces.broken === true;
  // The conversation has continued since the reply to this message failed. An edit is refused likewise before it is stored.
  return error.code === 'CONFLICT' && unsentKey !== undefined && replaces === undefined;
}

/** Shows a stored message whose reply failed as one without a reply, and sends the next one. */
async function showUnanswered(
  cache: QueryClient,
  conversationId: string,
  reply: Begun,
  error: ApiError,
): Promise<void> {
  const failed = findLiveReply(conversationId);
  // At once, because after a reload the service would try again to reply.
  forget(conversationId, reply);
  const stored = await cache.query({ ...conversationQuery(conversationId), staleTime: 0 }).catch(() => null);
  const generation = stored?.conversation.generation;
  const brokenId = error instanceof ReplyFailed ? error.messageId : null;
  if (generation && generation.id === failed?.state.generationId)
    keepFailed(conversationId, generation.userMessageId, brokenId);
  void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
  await replaceByStored(cache, conversationId, reply);
  if (findLiveReply(conversationId) !== failed) return;
  removeLiveReply(conversationId);
  sendNext(cache, conversationId);
}

/** Shows what is stored in place of a message that is no longer unsent. */
async function replaceByStored(cache: QueryClient, conversationId: string, reply: Begun): Promise<void> {
  const isDropped = !reply.replaces || dropFrom(cache, conversationId, reply.replaces);
  if (isDropped) await showStored(cache, conversationId).catch(() => reloadThread(cache, conversationId));
  else await reloadThread(cache, conversationId);
}

/** Removes a message from the unsent ones. */
const forget = (conversationId: string, { unsentKey }: Begun): void =>
  setUnsent(
    conversationId,
    unsentIn(conversationId).filter((message) => message.key !== unsentKey),
  );

// A message that another tab took back must not be sent by this one.
addEventListener('storage', ({ key }) => {
  const conversationId = key?.startsWith('unsent:') ? (key.split(':').at(-1) ?? '') : '';
  const { unsentKey = null, generationId = null } = findLiveReply(conversationId)?.state ?? {};
  if (unsentKey === null || generationId !== null) return;
  if (!unsentIn(conversationId).some((message) => message.key === unsentKey)) removeLiveReply(conversationId);
});

async function refreshTitle(cache: QueryClient, conversationId: string): Promise<void> {
  if (cache.getQueryData(conversationQuery(conversationId).queryKey)?.conversation.title) return;
  await refresh(cache, conversationId);
}

/** Requests the conversation, and then the list, so that a title that the one shows is in the other, too. */
async function refresh(cache: QueryClient, conversationId: string): Promise<void> {
  await cache.invalidateQueries({ queryKey: conversationQuery(conversationId).queryKey });
  await cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
}
