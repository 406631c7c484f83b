import { z } from 'zod';
import { characters, name, text } from '../core/text/text-input.ts';
import { pageInput } from '../core/pagination.ts';

/** Largest length of a message in Unicode characters. */
export const maxMessageCharacters = 32_000;

export const createConversationInput = z.object({
  agentId: z.string(),
  title: name({ max: 200 }).nullish(),
  versionId: z.string().nullish(),
});

/** At least one of the fields is required. A null title clears the title. */
export const updateConversationInput = z
  .object({
    title: name({ max: 200 }).nullish(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .superRefine(({ title, pinned, archived }, ctx) => {
    if (title !== undefined || pinned !== undefined || archived !== undefined) return;
    const message = 'is required unless pinned or archived is given';
    ctx.addIssue({ code: 'custom', path: ['title'], message, params: { code: 'required' } });
  });

export const conversationFilters = ['open', 'pinned', 'archived'] as const;
export type ConversationFilter = (typeof conversationFilters)[number];

export const listConversationsInput = pageInput().extend({
  agentId: z.string().nullish(),
  filter: z.enum(conversationFilters).nullish(),
});

export const listSharedFeedbackInput = pageInput();

/** `around` and `newerThan` determine the position of the page, so they cannot be combined with another position. */
export const listMessagesInput = pageInput()
  .extend({ before: z.string().nullish(), around: z.string().nullish(), newerThan: z.string().nullish() })
  .superRefine(({ before, after, offset, around, newerThan }, ctx) => {
    const field = around ? 'around' : 'newerThan';
    if (!around && !newerThan) return;
    if (!before && !after && offset === 0 && !(around && newerThan)) return;
    const message = 'cannot be combined with other positions';
    ctx.addIssue({ code: 'custom', path: [field], message, params: { code: 'conflicting' } });
  });

/** The length is measured after trimming; the content is stored as sent. */
export const messageContent = text({ min: 1, max: 64_000 }).superRefine((value, ctx) => {
  if ([...value.trim()].length > maxMessageCharacters)
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
  share: z.boolean().nullish(),
});

export const sendMessageInput = z.object({
  content: messageContent,
  role: z.literal('user').default('user'),
  idempotencyKey,
});

export const searchInput = z.object({
  // Unlike a name, it may consist of invisible characters: it finds nothing.
  q: z
    .string()
    .trim()
    .pipe(characters({ min: 1, max: 1_000 })),
  limit: pageInput().shape.limit,
  after: z.string().nullish(),
  agentId: z.string().nullish(),
  since: z.date().nullish(),
});
