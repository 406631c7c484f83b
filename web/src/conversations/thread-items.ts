import type { ThreadMessageFragment } from '../api/generated/operations.ts';
import { keyOfMessage } from '../chat/live-replies.ts';
import type { LiveReplyState } from '../chat/live-reply.ts';

/** A message as the thread shows it. `message` is null until it is stored; the key stays the same then. */
export interface ThreadItem {
  key: string;
  role: 'USER' | 'ASSISTANT';
  text: string;
  message: ThreadMessageFragment | null;
}

/** The stored messages, oldest first, and the question and reply that are not stored yet. */
export function threadItems(messages: readonly ThreadMessageFragment[], live: LiveReplyState | null): ThreadItem[] {
  const stored = messages.map((message) => ({
    key: keyOfMessage(message.id),
    role: message.role,
    text: message.content,
    message,
  }));
  return live && !isShown(live, messages) ? [...stored, ...liveItems(live)] : stored;
}

function liveItems({ key, question, text, status }: LiveReplyState): ThreadItem[] {
  const hasReply = text !== '' || status === 'connecting' || status === 'writing';
  return [
    ...(question === null ? [] : [{ key: `${key}-question`, role: 'USER' as const, text: question, message: null }]),
    ...(hasReply ? [{ key, role: 'ASSISTANT' as const, text, message: null }] : []),
  ];
}

/** The question that is put at the top of the view: the last one, when its reply is being written. */
export const anchorOf = (items: readonly ThreadItem[], live: LiveReplyState | null): string | null =>
  live ? (items.findLast(({ role }) => role === 'USER')?.key ?? null) : null;

const isShown = ({ stored }: LiveReplyState, messages: readonly ThreadMessageFragment[]): boolean =>
  stored !== null && messages.some(({ id }) => id === (stored.messageId ?? stored.userMessageId));
