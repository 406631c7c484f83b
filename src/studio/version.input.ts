import { z } from 'zod';
import { createAgentInput } from '../agents/agent.input.ts';
import { modelIds } from '../agents/models.ts';
import { trimmedText } from '../core/text/text-input.ts';
import { pageInput } from '../core/pagination.ts';

/** Omitted fields are copied from the agent's live version. */
export const createVersionInput = z.object({
  instructions: createAgentInput.shape.instructions.optional(),
  model: z.enum(modelIds).optional(),
  greetingMessage: createAgentInput.shape.greetingMessage,
  voiceId: createAgentInput.shape.voiceId,
  note: trimmedText({ max: 300 }).nullish(),
});

export const listVersionsInput = pageInput();
