import type { Ctx, Ports } from '../../core/ctx.ts';
import { onAccountEvents } from '../../core/feeds/account-wakes.ts';
import { createFeed, type Feed } from '../../core/feeds/feed.ts';
import type { FeedPage } from '../../core/feeds/feed-source.ts';
import { type ChannelEvent, sizeOfEvent } from '../channel.ts';
import {
  conversationChanged,
  type ConversationState,
  findState,
  isChanged,
  messageCreated,
  messagesAfter,
  replyFailed,
} from './conversation-log.ts';
import { followReplyOnChannel, type FollowedReply } from './followed-reply.ts';

/** An item that a conversation's channel passes to its readers. */
export type ConversationEntry =
  | { kind: 'message'; position: number; event: ChannelEvent }
  | { kind: 'reply'; reply: FollowedReply }
  /** An event that is not in the log. No event follows one with `isLast`. */
  | { kind: 'notice'; event: ChannelEvent; isLast: boolean };

/** Feed whose positions are those of messages. */
type ConversationFeed = Feed<ConversationEntry, number>;
type Page = FeedPage<ConversationEntry, number>;

const feeds = new WeakMap<Ports, Map<string, ConversationFeed>>();

/**
 * Returns the feed of a conversation's events on any instance, read once for all readers of this process. Performs no
 * authorization check.
 */
export function conversationFeed(ctx: Ctx, conversation: { id: string; userId: string }): ConversationFeed {
  const ofProcess = feeds.get(ctx.ports) ?? new Map<string, ConversationFeed>();
  feeds.set(ctx.ports, ofProcess);
  const remove = (): void => void ofProcess.delete(conversation.id);
  const feed = ofProcess.get(conversation.id) ?? openFeed(ctx.ports.background(), conversation, remove);
  ofProcess.set(conversation.id, feed);
  return feed;
}

function openFeed(ctx: Ctx, { id, userId }: { id: string; userId: string }, onEmpty: () => void): ConversationFeed {
  let known: ConversationState | undefined;
  let reply: FollowedReply | null = null;
  let isDeleted = false;

  async function read(after: number): Promise<Page> {
    const { messages, hasMore } = await messagesAfter(ctx, { id, userId }, after);
    const agentId = known?.agentId ?? (await findState(ctx, id))?.agentId ?? '';
    const items = messages.map((message) => ({
      kind: 'message' as const,
      position: message.position,
      event: messageCreated(message, agentId),
    }));
    return { items, next: messages.at(-1)?.position ?? after, hasMore };
  }

  async function poll(head: number): Promise<Page> {
    const before = known;
    const state = await findState(ctx, id);
    if (isDeleted) return { items: [], next: head, hasMore: false };
    if (!state?.isKept) return { items: deleted(state), next: head, hasMore: false };
    const notices =
      before && isChanged(before, state) ? [noticeOf(conversationChanged('conversation.updated', state))] : [];
    // The running reply comes before its message.
    if (reply && !reply.isOver) {
      known = { ...state, reply: before?.reply ?? null };
      return { items: notices, next: head, hasMore: false };
    }
    const page = state.lastPosition > head ? await read(head) : { items: [], next: head, hasMore: false };
    // Assigned last, because a read that fails is repeated and must find the same changes.
    known = state;
    if (page.hasMore) {
      known = { ...state, reply: before?.reply ?? null };
      return { ...page, items: [...page.items, ...notices] };
    }
    return { ...page, items: [...page.items, ...notices, ...replyEntries(before, state, page)] };
  }

  function deleted(state: ConversationState | undefined): ConversationEntry[] {
    const last = state ?? known;
    isDeleted = true;
    return last ? [{ ...noticeOf(conversationChanged('conversation.deleted', last)), isLast: true }] : [];
  }

  /** Returns the entry of the newest attempt, if it is new and its message is not on the page. */
  function replyEntries(
    before: ConversationState | undefined,
    state: ConversationState,
    page: Page,
  ): ConversationEntry[] {
    const latest = state.reply;
    if (!latest || latest.id === before?.reply?.id) return [];
    if (latest.state === 'running') {
      if (page.items.some((entry) => isMessage(entry, latest.assistantMessageId))) return [];
      reply = followReplyOnChannel(ctx, state, latest, () => feed.wake());
      return [{ kind: 'reply', reply }];
    }
    if (!before || latest.errorCode === null) return [];
    return [noticeOf(replyFailed(latest, latest.errorCode, latest.errorMessage))];
  }

  const feed: ConversationFeed = createFeed<ConversationEntry, number>({
    account: userId,
    source: {
      head: async () => (await findState(ctx, id))?.lastPosition ?? 0,
      read,
      poll,
      isRead: (position) => (entry) =>
        entry.kind === 'message'
          ? entry.position <= position
          : entry.kind === 'reply' && entry.reply.position !== null && entry.reply.position <= position,
      sizeOf: (entry) => ('event' in entry ? sizeOfEvent(entry.event) : 0),
      isOpen: (entry) => entry.kind === 'reply' && !entry.reply.isOver,
    },
    onWake: (wake) => onAccountEvents(ctx, userId, wake),
    onEmpty: () => {
      reply?.stop();
      onEmpty();
    },
    log: ctx.log,
  });
  return feed;
}

const noticeOf = (event: ChannelEvent): Extract<ConversationEntry, { kind: 'notice' }> => ({
  kind: 'notice',
  event,
  isLast: false,
});

const isMessage = (entry: ConversationEntry, id: string): boolean =>
  entry.kind === 'message' && 'message_id' in entry.event.data && entry.event.data.message_id === id;
