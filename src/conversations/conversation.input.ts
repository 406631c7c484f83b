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
export const messageContent = text({ max: 64_000 }).superRefine((value, ctx) => {
  const length = [...value.trim()].length;
  if (length === 0) ctx.addIssue({ code: 'custom', message: 'must not be empty', params: { code: 'required' } });
  if (length > 32_000)
    ctx.addIssue({ code: 'custom', message: 'must have at most 32,000 characters', params: { code: 'too_long' } });
});

export const sendMessageInput = z.object({
  content: messageContent,
  role: z.literal('user').default('user'),
  idempotencyKey: z.string().nullish(),
});

export const searchInput = z.object({ q: trimmedText({ min: 1, max: 1_000 }), limit: pageInput().shape.limit });
