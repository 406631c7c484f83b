import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import { keyOfMessage } from '../../chat/replies/live-replies.ts';
import type { LiveReplyState } from '../../chat/replies/live-reply.ts';

/** A message as the thread shows it. `message` is null until it is stored; storing does not change the key. */
export interface ThreadItem {
  key: string;
  role: 'USER' | 'ASSISTANT';
  text: string;
  message: ThreadMessageFragment | null;
}

/** Returns the stored messages, oldest first, then the question and reply that are not stored yet. */
export function threadItems(messages: readonly ThreadMessageFragment[], live: LiveReplyState | null): ThreadItem[] {
  if (!live || isShown(live, messages)) return messages.map(storedItem);
  const stored = withoutReplaced(messages, live).map(storedItem);
  const last = stored.at(-1);
  if (last?.role !== 'USER' || last.text !== live.question) return [...stored, ...liveItems(live)];
  // The question was stored before the messages were read.
  const question = { ...last, key: `${live.key}-question` };
  return [...stored.slice(0, -1), question, ...liveItems({ ...live, question: null })];
}

const storedItem = (message: ThreadMessageFragment): ThreadItem => ({
  key: keyOfMessage(message.id),
  role: message.role,
  text: message.content,
  message,
});

function liveItems({ key, question, text, status }: LiveReplyState): ThreadItem[] {
  const hasReply = text !== '' || status === 'connecting' || status === 'writing';
  return [
    ...(question === null ? [] : [{ key: `${key}-question`, role: 'USER' as const, text: question, message: null }]),
    ...(hasReply ? [{ key, role: 'ASSISTANT' as const, text, message: null }] : []),
  ];
}

/** Returns the key of the question to scroll to the top: the last one, while its reply is being generated. */
export const anchorOf = (items: readonly ThreadItem[], live: LiveReplyState | null): string | null =>
  live ? (items.findLast(({ role }) => role === 'USER')?.key ?? null) : null;

/** Returns the messages without those that the reply replaces. One that the service did not accept replaces nothing. */
function withoutReplaced(
  messages: readonly ThreadMessageFragment[],
  { replaces, status, generationId }: LiveReplyState,
): readonly ThreadMessageFragment[] {
  if (!replaces || (status === 'failed' && generationId === null)) return messages;
  const index = messages.findIndex(({ id }) => id === replaces.id);
  return index >= 0 ? messages.slice(0, index) : messages.filter(({ createdAt }) => createdAt < replaces.createdAt);
}

const isShown = ({ stored }: LiveReplyState, messages: readonly ThreadMessageFragment[]): boolean =>
  stored !== null && messages.some(({ id }) => id === (stored.messageId ?? stored.userMessageId));
