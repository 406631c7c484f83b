import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { asApiError } from '../api/api-error.ts';
import { ConversationsDocument, CreateConversationDocument } from '../api/generated/operations.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';
import { isWorthWaiting } from '../chat/reply.ts';
import { drafts, setUnsent, type Unsent, unsentIn } from '../chat/drafts.ts';
import { notifyFailure } from '../parts/toast-store.ts';
import { send } from './replies.ts';
import { texts } from './texts.ts';

export const lastAgentKey = 'last-agent';

interface FirstMessage {
  /** The message whose conversation is being created. */
  sent: Unsent | null;
  isWaiting: boolean;
  /** Name of the draft: that of the agent, and of the conversation once it exists. */
  draft: string;
  /** Creates the conversation, sends the message in it and shows it. */
  begin: (content: string) => Promise<void>;
  /** Cancels the message while it waits, and returns its text. */
  takeBack: () => string;
}

/** The first message to an agent. While there is no network it is kept on this device, also when the page is left. */
export function useFirstMessage(agentId: string): FirstMessage {
  const name = `new:${agentId}`;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [sent, setSent] = useState<Unsent | null>(() => unsentIn(name)[0] ?? null);
  const [isWaiting, setWaiting] = useState(false);
  const [draft, setDraft] = useState(name);
  const leaving = useRef(new AbortController());
  const change = (message: Unsent | null): void => {
    setUnsent(name, message ? [message] : []);
    setSent(message);
    setWaiting(false);
  };
  const deliver = async (message: Unsent): Promise<void> => {
    const { signal } = leaving.current;
    const id = await createConversation(agentId, message.key, signal, () => setWaiting(true));
    localStorage.setItem(lastAgentKey, agentId);
    setUnsent(name, []);
    send(cache, id, message);
    // Text typed before the conversation is shown becomes its draft.
    drafts.move(name, id);
    setDraft(id);
    await navigate({ to: '/chat/$conversationId', params: { conversationId: id } });
    void cache.invalidateQueries({ queryKey: keyOf(ConversationsDocument) });
  };
  const tryDeliver = async (message: Unsent): Promise<void> => {
    const { signal } = leaving.current;
    try {
      await deliver(message);
    } catch (failure) {
      if (signal.aborted) return;
      change(null);
      notifyFailure(texts.conversationNotStarted, failure);
      throw failure;
    }
  };
  const resume = useEffectEvent((): void => {
    const [waiting] = unsentIn(name);
    if (waiting) tryDeliver(waiting).catch(() => drafts.add(name, waiting.content));
  });
  useEffect(() => {
    leaving.current = new AbortController();
    resume();
    return () => leaving.current.abort();
  }, []);
  return {
    sent,
    isWaiting,
    draft,
    begin(content) {
      // One message starts the conversation. Until then the next one stays in the field, and becomes its draft.
      if (sent !== null) return Promise.reject(new Error('A first message is on its way.'));
      const message = { content, key: newIdempotencyKey() };
      change(message);
      return tryDeliver(message);
    },
    takeBack() {
      leaving.current.abort();
      leaving.current = new AbortController();
      const content = sent?.content ?? '';
      change(null);
      return content;
    },
  };
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
