import { z } from 'zod';
import { text, trimmedText } from '../core/input.ts';
import { pageInput } from '../core/pagination.ts';

export const createConversationInput = z.object({
  agentId: z.string(),
  title: trimmedText({ min: 1, max: 200 }).nullish(),
});

export const renameConversationInput = z.object({ title: trimmedText({ min: 1, max: 200 }) });

export const listConversationsInput = pageInput().extend({ agentId: z.string().nullish() });

export const listMessagesInput = pageInput().extend({ before: z.string().nullish() });

/** Measured after trimming, stored as sent. */
const messageContent = text({ max: 64_000 }).superRefine((value, ctx) => {
  const length = [...value.trim()].length;
  if (length === 0) ctx.addIssue({ code: 'custom', message: 'must not be empty', params: { code: 'required' } });
  if (length > 32_000)
    ctx.addIssue({ code: 'custom', message: 'must have at most 32,000 characters', params: { code: 'too_long' } });
});

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters')
  .nullish();

export const regenerateInput = z.object({ idempotencyKey });

export const editMessageInput = z.object({ content: messageContent, idempotencyKey });

export const feedbackInput = z.object({
  rating: z.enum(['up', 'down']),
  comment: text({ max: 2_000 }).nullish(),
});

export const sendMessageInput = z.object({
  content: messageContent,
  role: z.literal('user').default('user'),
  idempotencyKey,
});

export const searchInput = z.object({ q: trimmedText({ min: 1, max: 1_000 }), limit: pageInput().shape.limit });
