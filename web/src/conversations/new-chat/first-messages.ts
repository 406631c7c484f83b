import { keep } from '../../api/keep.ts';
import type { QueryClient } from '@tanstack/react-query';
import { asApiError } from '../../api/api-error.ts';
import { ConversationsDocument, CreateConversationDocument } from '../../api/generated/operations.ts';
import { onSignedOut } from '../../api/on-signed-out.ts';
import { keyOf } from '../../api/query.ts';
import { request } from '../../api/request.ts';
import { waitForNetwork } from '../../api/wait-for-network.ts';
import { drafts, setUnsent, unsentIn } from '../../chat/drafts/drafts.ts';
import { keepHeldUp } from '../../chat/drafts/held-up.ts';
import { isWorthWaiting } from '../../chat/replies/reply.ts';
import { notifyFailure } from '../../parts/layers/toast-store.ts';
import { send } from '../thread/replies.ts';
import { texts } from './texts.ts';

export const lastAgentKey = 'last-agent';

const newChat = 'new:';

/** Name under which the messages and the draft of a new chat with an agent are stored. */
export const newChatWith = (agentId: string): string => `${newChat}${agentId}`;

/** The inverse of `newChatWith`. Returns null for the name of a conversation. */
export const agentOfNewChat = (name: string): string | null =>
  name.startsWith(newChat) ? name.slice(newChat.length) : null;

/** What the page of a new chat shows of the creation of its conversation. */
interface Progress {
  /** Called when there is no network, at each attempt. */
  onWaiting: () => void;
  onCreated: (conversationId: string) => void;
  /** Called when the service refused it. The texts are in the draft. */
  onRefused: () => void;
}

/** Creations of conversations, by agent. They continue when the page is left. */
const creations = new Map<string, AbortController>();
keepHeldUp(() => [...creations.keys()].map(newChatWith));
onSignedOut(() => {
  for (const creation of creations.values()) creation.abort();
  creations.clear();
});
/** The pages that are shown, by agent. */
const pages = new Map<string, Progress>();

/** Shows the progress of a new chat until the returned function is called. */
export function followFirstMessages(agentId: string, progress: Progress): () => void {
  pages.set(agentId, progress);
  return () => void pages.delete(agentId);
}

/** Creates the conversation of the messages that are stored for it, and sends them there in order. */
export function sendFirstMessages(cache: QueryClient, agentId: string): void {
  const [first] = unsentIn(newChatWith(agentId));
  if (!first || creations.has(agentId)) return;
  const creation = new AbortController();
  creations.set(agentId, creation);
  void deliver(cache, agentId, first.key, creation.signal);
}

/** Cancels a message while its conversation is not created. */
export function takeFirstBack(cache: QueryClient, agentId: string, key: string): void {
  creations.get(agentId)?.abort();
  creations.delete(agentId);
  const name = newChatWith(agentId);
  setUnsent(
    name,
    unsentIn(name).filter((message) => message.key !== key),
  );
  sendFirstMessages(cache, agentId);
}

async function deliver(cache: QueryClient, agentId: string, key: string, signal: AbortSignal): Promise<void> {
  const name = newChatWith(agentId);
  try {
    const id = await createConversation(agentId, key, signal, () => pages.get(agentId)?.onWaiting());
    creations.delete(agentId);
    keep(localStorage, lastAgentKey, agentId);
    for (const message of unsentIn(name)) send(cache, id, message);
    setUnsent(name, []);
    pages.get(agentId)?.onCreated(id);
    void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
  } catch (failure) {
    if (signal.aborted) return;
    creations.delete(agentId);
    const contents = unsentIn(name).map(({ content }) => content);
    setUnsent(name, []);
    drafts.change(name, [...contents, drafts.get(name)].filter(Boolean).join('\n'));
    pages.get(agentId)?.onRefused();
    notifyFailure(texts.conversationNotStarted, failure);
  }
}

/** Tries again under the same key until there is a response, so that one conversation is created. @throws ApiError */
async function createConversation(
  agentId: string,
  key: string,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      const options = { signal, idempotencyKey: `${key}-new` };
      return (await request(CreateConversationDocument, { input: { agentId } }, options)).createConversation.id;
    } catch (error) {
      if (signal.aborted || !isWorthWaiting(asApiError(error))) throw error;
      onWaiting();
      await waitForNetwork(attempt, signal);
      signal.throwIfAborted();
    }
  }
}
