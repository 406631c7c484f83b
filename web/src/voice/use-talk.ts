import { type RefObject, useEffect, useRef, useState } from 'react';
import { beforeTalk, startTalk, type Talk, type TalkState } from './talk.ts';
import { beginTalking } from './talking.ts';

interface TalkEvents {
  conversationId: string;
  onMessage: () => void;
  onReply: (generationId: string) => void;
}

/** Runs a spoken conversation while mounted. */
export function useTalk(events: TalkEvents): { state: TalkState; talk: RefObject<Talk | null> } {
  const [state, setState] = useState(beforeTalk);
  const talk = useRef<Talk | null>(null);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const { conversationId } = events;
  useEffect(() => {
    const endTalking = beginTalking();
    const started = startTalk({
      conversationId,
      onChange: setState,
      onMessage: () => latest.current.onMessage(),
      onReply: (generationId) => latest.current.onReply(generationId),
    });
    talk.current = started;
    return () => {
      started.end();
      endTalking();
    };
  }, [conversationId]);
  return { state, talk };
}
