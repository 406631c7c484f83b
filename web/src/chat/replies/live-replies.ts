import { useSyncExternalStore } from 'react';
import { onSignedOut } from '../../api/on-signed-out.ts';
import { keepHeldUp } from '../drafts/held-up.ts';
import { LiveReply, type LiveReplyState } from './live-reply.ts';

type Options = Omit<ConstructorParameters<typeof LiveReply>[0], 'onChange'> & {
  /** Called when the stored messages have replaced it. */
  onGone?: (generationId: string | null) => void;
};

/** Replies that are being generated, by conversation. They continue when the page shows another conversation. */
const replies = new Map<string, LiveReply>();
/** React keys of messages that this page saw being generated, so that their elements are kept. */
const keys = new Map<string, string>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

export function startLiveReply(conversationId: string, options: Options): LiveReply {
  replies.get(conversationId)?.leave();
  const reply = new LiveReply({
    ...options,
    onChange: changed,
    onDone: async (done) => {
      if (done.messageId) keys.set(done.messageId, reply.state.key);
      keys.set(done.userMessageId, `${reply.state.key}-question`);
      await options.onDone(done);
      // Only after the stored messages are rendered. Before that, the thread would drop elements that it must keep.
      setTimeout(() => {
        if (replies.get(conversationId) === reply) replies.delete(conversationId);
        changed();
        options.onGone?.(reply.state.generationId);
      }, 100);
    },
  });
  replies.set(conversationId, reply);
  changed();
  void reply.read();
  return reply;
}

export const findLiveReply = (conversationId: string): LiveReply | undefined => replies.get(conversationId);

/** Keeps the elements of a failed reply and of its question for the messages that are stored. */
export function keepFailed(conversationId: string, userMessageId: string, messageId: string | null): void {
  const key = replies.get(conversationId)?.state.key;
  if (key === undefined) return;
  keys.set(userMessageId, `${key}-question`);
  if (messageId !== null) keys.set(messageId, key);
}

export function removeLiveReply(conversationId: string): void {
  replies.get(conversationId)?.leave();
  replies.delete(conversationId);
  changed();
}

onSignedOut(() => {
  for (const reply of replies.values()) reply.leave();
  for (const known of [replies, keys]) known.clear();
  changed();
});

/** Keeps the element of a message for another version of it, with its focus and its place. */
export const keepElement = (messageId: string, versionId: string): void =>
  void keys.set(versionId, keyOfMessage(messageId));

export const keyOfMessage = (messageId: string): string => keys.get(messageId) ?? messageId;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useLiveReply = (conversationId: string): LiveReplyState | null =>
  useSyncExternalStore(subscribe, () => replies.get(conversationId)?.state ?? null);

/** Whether a reply is being generated in a conversation. Renders again only at its start and end. */
export const useIsWriting = (conversationId: string): boolean =>
  useSyncExternalStore(subscribe, () => {
    const status = replies.get(conversationId)?.state.status;
    return status !== undefined && status !== 'failed';
  });

const isHeldUp = (state: LiveReplyState | undefined): boolean =>
  (state?.status === 'waiting' || state?.status === 'queued') && state.generationId === null && state.question !== null;

/** Whether a message waits for the network or another reply, so that further messages are queued behind it. */
export const useIsHeldUp = (conversationId: string): boolean =>
  useSyncExternalStore(subscribe, () => isHeldUp(replies.get(conversationId)?.state));

keepHeldUp(() => [...replies.keys()].filter((id) => isHeldUp(replies.get(id)?.state)));
