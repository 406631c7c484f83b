import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { drafts, setUnsent, type Unsent, unsentIn } from '../../chat/drafts/drafts.ts';
import { followFirstMessages, newChatWith, sendFirstMessages, takeFirstBack } from './first-messages.ts';
import { send } from '../thread/replies.ts';

interface FirstMessages {
  /** The messages whose conversation is being created. */
  sent: readonly Unsent[];
  isWaiting: boolean;
  /** Name of the draft: that of the agent, and of the conversation once it exists. */
  draft: string;
  /** Creates the conversation, sends the message in it and shows it. Further messages follow in the same one. */
  begin: (content: string) => void;
  /** Cancels a message while it waits. */
  takeBack: (key: string) => void;
}

/** The first messages to an agent. While there is no network they are kept on this device, also when the page is left. */
export function useFirstMessages(agentId: string): FirstMessages {
  const name = newChatWith(agentId);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  const [sent, setSent] = useState<readonly Unsent[]>(() => unsentIn(name));
  const [isWaiting, setWaiting] = useState(false);
  const [conversationId, setConversationId] = useState<string | null>(null);
  const onCreated = useEffectEvent((id: string): void => {
    // Text typed before the conversation is shown becomes its draft.
    drafts.move(name, id);
    setConversationId(id);
  });
  useEffect(() => {
    if (conversationId === null) return undefined;
    // This page stays until the next screen is loaded: a person who leaves it is not brought back, unless they return.
    const show = (): void => {
      if (!/^\/chat\/?$/.test(history.location.pathname)) return;
      void navigate({ to: '/chat/$conversationId', params: { conversationId } });
    };
    show();
    return history.subscribe(show);
  }, [conversationId, history, navigate]);
  const follow = useEffectEvent(() => {
    const stop = followFirstMessages(agentId, {
      onWaiting: () => setWaiting(true),
      onCreated: (id) => onCreated(id),
      onRefused: () => {
        setSent([]);
        setWaiting(false);
      },
    });
    sendFirstMessages(cache, agentId);
    return stop;
  });
  useEffect(() => follow(), []);
  return {
    sent,
    isWaiting: isWaiting && conversationId === null,
    draft: conversationId ?? name,
    begin(content) {
      if (conversationId !== null) return send(cache, conversationId, { content });
      setUnsent(name, [...unsentIn(name), { content, key: newIdempotencyKey() }]);
      setSent(unsentIn(name));
      sendFirstMessages(cache, agentId);
    },
    takeBack(key) {
      setWaiting(false);
      takeFirstBack(cache, agentId, key);
      setSent(unsentIn(name));
    },
  };
}
