import { type InfiniteData, InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { afterFetch } from '../../../web/src/api/after-fetch.ts';
import {
  AgentDocument,
  type ConversationsQuery,
  type DocumentFieldsFragment,
  type MessagesQuery,
  type RoomMessagesQuery,
} from '../../../web/src/api/generated/operations.ts';
import type { LiveEvent, LiveUpdates } from '../../../web/src/api/live-events.ts';
import { stubBrowser } from '../../support/console-modules.ts';

type RoomMessage = RoomMessagesQuery['roomMessages']['data'][number];
type ThreadMessage = MessagesQuery['messages']['data'][number];

/** What the service has stored, newest first. */
let stored: ThreadMessage[] = [];
stubBrowser({
  Messages: ({ limit }: { limit: number }) => threadPage(stored.slice(0, limit)),
});
const rooms = await import('../../../web/src/rooms/room-queries.ts');
const thread = await import('../../../web/src/conversations/thread/thread-query.ts');
const { conversationUpdates } = await import('../../../web/src/conversations/live-updates.ts');
const { agentUpdates } = await import('../../../web/src/agents/live-updates.ts');
const documents = await import('../../../web/src/knowledge/documents-query.ts');
const { query } = await import('../../../web/src/api/query.ts');

const tick = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Shows a query whose fetches answer with `page` when `answer` is called. */
function show<Page>(options: object, page: (cursor: unknown) => Page) {
  const cache = new QueryClient();
  const waiting: (() => void)[] = [];
  const queryFn = ({ pageParam, signal: _ }: { pageParam: unknown; signal: AbortSignal }) =>
    new Promise<Page>((resolve) => waiting.push(() => resolve(page(pageParam))));
  const observer = new InfiniteQueryObserver(cache, { ...options, queryFn } as never);
  const stop = observer.subscribe(() => undefined);
  const answer = async (): Promise<void> => {
    for (const give of waiting.splice(0)) give();
    await tick();
  };
  const { queryKey } = observer.options;
  const pages = (): Page[] => cache.getQueryData<InfiniteData<Page>>(queryKey)?.pages ?? [];
  return { cache, observer, queryKey, answer, pages, stop };
}

const roomMessage = (position: number): RoomMessage =>
  ({ id: `msg_${position}`, position, content: `No ${position}`, deleted: false }) as RoomMessage;
const roomPage = (...positions: number[]): RoomMessagesQuery => ({
  roomMessages: { hasMore: positions.at(-1) !== 1, data: positions.map(roomMessage) },
});
const threadMessage = (id: number): ThreadMessage =>
  ({ id: `msg_${id}`, createdAt: `2026-01-01T00:00:0${id}Z`, content: `No ${id}`, feedback: null }) as ThreadMessage;
const threadPage = (data: ThreadMessage[]): MessagesQuery => ({
  messages: {
    startCursor: data[0]?.id ?? null,
    hasNewer: false,
    data,
    pageInfo: { hasNextPage: data.at(-1)?.id !== 'msg_1', endCursor: data.at(-1)?.id ?? null },
  },
});

/** Shows the newest page of a room, while that before it loads. */
async function roomThatLoadsMore() {
  const room = show(rooms.messagesQuery('room_1'), (before) => (before ? roomPage(2, 1) : roomPage(4, 3)));
  await room.answer();
  void room.observer.fetchNextPage();
  const contents = () => room.pages().flatMap(({ roomMessages }) => roomMessages.data.map(({ content }) => content));
  return { ...room, contents };
}

/** Shows the newest page of a conversation, while that before it loads. */
async function threadThatLoadsMore() {
  const page = ({ after }: { after?: string }) => threadPage((after ? [2, 1] : [4, 3]).map(threadMessage));
  const shown = show(thread.messagesQuery('conv_1'), page as (cursor: unknown) => MessagesQuery);
  await shown.answer();
  void shown.observer.fetchNextPage();
  const messages = () => shown.pages().flatMap((one) => one.messages.data);
  const ids = () => messages().map(({ id }) => id);
  return { ...shown, messages, ids };
}

describe('while earlier messages of a room load', () => {
  test('a message that arrives is shown and stays', async () => {
    const { cache, answer, contents, stop } = await roomThatLoadsMore();
    rooms.addMessage(cache, 'room_1', roomMessage(5));
    expect(contents()).toEqual(['No 5', 'No 4', 'No 3']);
    await answer();
    expect(contents()).toEqual(['No 5', 'No 4', 'No 3', 'No 2', 'No 1']);
    stop();
  });

  test('a message that is deleted stays deleted, also one that has just arrived', async () => {
    const { cache, answer, contents, stop } = await roomThatLoadsMore();
    rooms.addMessage(cache, 'room_1', roomMessage(5));
    rooms.eraseMessage(cache, 'room_1', 'msg_4');
    rooms.eraseMessage(cache, 'room_1', 'msg_5');
    await answer();
    expect(contents()).toEqual(['', '', 'No 3', 'No 2', 'No 1']);
    stop();
  });
});

describe('while earlier messages of a conversation load', () => {
  test('what is stored is shown and stays', async () => {
    const { cache, answer, ids, stop } = await threadThatLoadsMore();
    stored = [6, 5, 4, 3].map(threadMessage);
    await thread.showStored(cache, 'conv_1');
    expect(ids()).toEqual(['msg_6', 'msg_5', 'msg_4', 'msg_3']);
    await answer();
    expect(ids()).toEqual(['msg_6', 'msg_5', 'msg_4', 'msg_3', 'msg_2', 'msg_1']);
    stop();
  });

  test('a message that is edited is replaced by its new version', async () => {
    const { cache, answer, ids, stop } = await threadThatLoadsMore();
    expect(thread.dropFrom(cache, 'conv_1', threadMessage(4))).toBe(true);
    stored = [6, 5, 3].map(threadMessage);
    await thread.showStored(cache, 'conv_1');
    await answer();
    expect(ids()).toEqual(['msg_6', 'msg_5', 'msg_3', 'msg_2', 'msg_1']);
    stop();
  });

  test('a rating stays', async () => {
    const { cache, answer, messages, stop } = await threadThatLoadsMore();
    const feedback = { rating: 'UP', comment: null, sharedAt: null } as const;
    thread.patchMessage(cache, 'conv_1', 'msg_4', { feedback });
    await answer();
    expect(messages()[0]?.feedback).toEqual(feedback);
    stop();
  });

  test('they are not added to the messages around another one', async () => {
    const { cache, observer, answer, ids, stop } = await threadThatLoadsMore();
    stored = [threadMessage(9)];
    const isShown = thread.showAround(cache, 'conv_1', 'msg_9');
    void observer.fetchNextPage();
    await isShown;
    await answer();
    expect(ids()).toEqual(['msg_9']);
    stop();
  });
});

test('an update waits for the page that loads in place of a refetch', async () => {
  const list = show({ queryKey: ['list'], initialPageParam: '', getNextPageParam: () => 'more' }, () => 'old');
  await list.answer();
  void list.cache.invalidateQueries({ queryKey: ['list'] });
  const update = afterFetch(list.cache, ['list']).then(() =>
    list.cache.setQueryData<InfiniteData<string>>(['list'], (data) => data && { ...data, pages: ['new', 'old'] }),
  );
  void list.observer.fetchNextPage();
  await tick();
  await list.answer();
  await update;
  expect(list.pages()).toEqual(['new', 'old']);
  list.stop();
});

const report = (cache: QueryClient, updates: LiveUpdates, event: Pick<LiveEvent, 'type' | 'data'>): void =>
  updates[event.type]?.(cache, { id: 'evt_1', createdAt: '2026-01-02T00:00:00Z', ...event });

/** Shows a list of conversations that is read again, with the same response. */
async function listThatIsReadAgain(...ids: string[]) {
  const data = ids.map((id) => ({
    id,
    title: id,
    pinnedAt: null,
    lastMessage: null,
    updatedAt: '2026-01-01T00:00:00Z',
  }));
  const page = (): ConversationsQuery => ({
    conversations: { data, pageInfo: { hasNextPage: false, endCursor: null } },
  });
  const list = show(thread.conversationsQuery(), page);
  await list.answer();
  void list.observer.refetch();
  const listed = () => list.pages().flatMap(({ conversations }) => conversations.data.map(({ id }) => id));
  return { ...list, listed };
}

describe('while the list of conversations is read again', () => {
  test('one that is created stays, in its place', async () => {
    const { cache, answer, listed, stop } = await listThatIsReadAgain('a', 'b');
    report(cache, conversationUpdates, { type: 'CONVERSATION_CREATED', data: { id: 'c' } });
    report(cache, conversationUpdates, { type: 'MESSAGE_CREATED', data: { conversation_id: 'b', role: 'user' } });
    expect(listed()).toEqual(['b', 'c', 'a']);
    await answer();
    expect(listed()).toEqual(['b', 'c', 'a']);
    stop();
  });
});

test('a conversation that is deleted elsewhere leaves the shown archive', async () => {
  const archived = [{ id: 'a' }];
  const pageInfo = { hasNextPage: false, endCursor: null };
  const archive = show(thread.conversationsQuery('ARCHIVED'), () => ({
    conversations: { data: [...archived], pageInfo },
  }));
  await archive.answer();
  archived.pop();
  report(archive.cache, conversationUpdates, { type: 'CONVERSATION_DELETED', data: { id: 'a' } });
  await archive.answer();
  expect(archive.pages()).toEqual([{ conversations: { data: [], pageInfo } }]);
  archive.stop();
});

test('an update of a document that arrives after its deletion does not list it again', async () => {
  const empty = { documents: { data: [], pageInfo: { hasNextPage: false, endCursor: null } } };
  const list = show(documents.documentsQuery('agent_1'), () => empty);
  await list.answer();
  documents.noteDeleted('doc_1');
  documents.putDocument(list.cache, 'agent_1', { id: 'doc_1', status: 'PROCESSING' } as DocumentFieldsFragment);
  expect(list.pages()).toEqual([empty]);
  list.stop();
});

/** Shows a query of one object while it is read for the first time or again. */
async function showOne<Result>(options: object, result: Result, isFirst: boolean) {
  const cache = new QueryClient();
  let answer = (): void => undefined;
  const queryFn = (): Promise<Result> => new Promise((resolve) => void (answer = () => resolve(result)));
  const observer = new QueryObserver(cache, { ...options, queryFn } as never);
  const stop = observer.subscribe(() => undefined);
  const answered = async () => {
    answer();
    await tick();
    return observer.getCurrentResult().data as Result;
  };
  if (!isFirst) await answered();
  if (!isFirst) void observer.refetch();
  return { cache, answered, stop };
}

test('an agent that changes while it is read for the first time is shown as changed', async () => {
  const agent = { id: 'agent_1', name: 'Ada', updatedAt: '2026-01-01T00:00:00Z' };
  const { cache, answered, stop } = await showOne(query(AgentDocument, { id: 'agent_1' }), { agent }, true);
  const data = { id: 'agent_1', name: 'Eve', updated_at: '2026-01-02T00:00:00Z' };
  report(cache, agentUpdates, { type: 'AGENT_UPDATED', data });
  expect((await answered()).agent.name).toBe('Eve');
  stop();
});

test('a room that is renamed while it is read again has its new name', async () => {
  const { cache, answered, stop } = await showOne(rooms.roomQuery('room_1'), { room: { name: 'Kitchen' } }, false);
  rooms.patchRoom(cache, 'room_1', { name: 'Living room' });
  expect((await answered()).room.name).toBe('Living room');
  stop();
});
