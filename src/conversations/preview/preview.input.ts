import { z } from 'zod';
import { createAgentInput } from '../../agents/agent.input.ts';
import { messageContent } from '../conversation.input.ts';
import { maxHistory } from '../prompt/prepare-prompt.ts';

/** The conversation so far, oldest message first. The last message is the one to reply to. */
export const previewInput = z.object({
  agent: createAgentInput,
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: messageContent }))
    .min(1)
    .max(maxHistory)
    .refine((messages) => messages.at(-1)?.role === 'user', {
      message: 'must end with a message of the user',
      params: { code: 'invalid_order' },
    } as never),
  agentId: z.string().nullish(),
});
