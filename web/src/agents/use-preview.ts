import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type PreviewMessageInput, UsageDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { LiveReply, type LiveReplyState } from '../chat/replies/live-reply.ts';
import { common } from '../parts/common-texts.ts';
import { type AgentValues, inputOf } from './agent-values.ts';
import { previewSource } from './preview-source.ts';

export interface Preview {
  turns: readonly PreviewMessageInput[];
  /** The reply that is being written, or has failed. */
  reply: LiveReplyState | null;
  send: (content: string) => void;
  stop: () => void;
  retry: () => void;
  clear: () => void;
}

/** A conversation with the agent as it is in the form. Only this page's state holds it. */
export function usePreview(values: AgentValues, agentId: string | undefined): Preview {
  const [turns, setTurns] = useState<readonly PreviewMessageInput[]>([]);
  const [reply, setReply] = useState<LiveReplyState | null>(null);
  const cache = useQueryClient();
  const live = useRef<LiveReply>(undefined);
  useEffect(() => () => live.current?.leave(), []);

  const end = (): void => {
    const { question, text } = live.current?.state ?? {};
    live.current?.leave();
    setReply(null);
    void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
    if (!question || !text) return;
    setTurns((before) => [...before, { role: 'USER', content: question }, { role: 'ASSISTANT', content: text }]);
  };
  return {
    turns,
    reply,
    send(content) {
      if (reply) end();
      const greeting = values.greetingMessage.trim();
      const before: PreviewMessageInput[] = greeting ? [{ role: 'ASSISTANT', content: greeting }] : [];
      const agent = { ...inputOf(values), name: values.name.trim() || common.agent };
      const messages: PreviewMessageInput[] = [...before, ...turns, { role: 'USER', content }];
      const next = new LiveReply({
        question: content,
        source: previewSource({ agent, messages, agentId }),
        onChange: () => setReply(next.state),
        onDone: async () => end(),
      });
      live.current = next;
      void next.read();
    },
    stop: end,
    retry: () => void live.current?.read(),
    clear() {
      live.current?.leave();
      setReply(null);
      setTurns([]);
    },
  };
}
