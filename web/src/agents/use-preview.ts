import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type PreviewMessageInput, UsageDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { drafts } from '../chat/drafts/drafts.ts';
import { LiveReply, type LiveReplyState } from '../chat/replies/live-reply.ts';
import { common } from '../parts/common-texts.ts';
import { type AgentValues, inputOf } from './agent-values.ts';
import { previewSource } from './preview-source.ts';

export interface Preview {
  turns: readonly PreviewMessageInput[];
  /** The latest reply: it is being written, is complete, or has failed. */
  reply: LiveReplyState | null;
  send: (content: string) => void;
  stop: () => void;
  retry: () => void;
  clear: () => void;
}

/**
 * A conversation with the agent as it is in the form. Only this page's state holds it. A question without a reply
 * returns to the draft.
 */
export function usePreview(values: AgentValues, agentId: string | undefined, draft: string): Preview {
  const [turns, setTurns] = useState<readonly PreviewMessageInput[]>([]);
  const [reply, setReply] = useState<LiveReplyState | null>(null);
  const cache = useQueryClient();
  const live = useRef<LiveReply>(undefined);
  useEffect(() => () => live.current?.leave(), []);

  const readUsage = (): void => void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
  /** Ends the latest reply and returns the turns with it. */
  const end = (): readonly PreviewMessageInput[] => {
    const { question, text } = live.current?.state ?? {};
    live.current?.leave();
    setReply(null);
    readUsage();
    if (question && !text) drafts.add(draft, question);
    if (!question || !text) return turns;
    const ended: PreviewMessageInput[] = [
      ...turns,
      { role: 'USER', content: question },
      { role: 'ASSISTANT', content: text },
    ];
    setTurns(ended);
    return ended;
  };
  return {
    turns,
    reply,
    send(content) {
      const said = reply ? end() : turns;
      const greeting = values.greetingMessage.trim();
      const before: PreviewMessageInput[] = greeting ? [{ role: 'ASSISTANT', content: greeting }] : [];
      const agent = { ...inputOf(values), name: values.name.trim() || common.agent };
      const messages: PreviewMessageInput[] = [...before, ...said, { role: 'USER', content }];
      const next = new LiveReply({
        question: content,
        source: previewSource({ agent, messages, agentId }),
        onChange: () => setReply(next.state),
        onDone: async () => readUsage(),
      });
      live.current = next;
      void next.read();
    },
    stop: () => void end(),
    retry: () => void live.current?.read(),
    clear() {
      live.current?.leave();
      setReply(null);
      setTurns([]);
    },
  };
}
