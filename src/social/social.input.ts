import { z } from 'zod';
import { name, trimmedText } from '../core/text/text-input.ts';
import { orDefault, pageInput } from '../core/pagination.ts';

export const profileVisibilities = ['public', 'hidden'] as const;
export type ProfileVisibility = (typeof profileVisibilities)[number];

export const shareTypes = ['agent', 'conversation'] as const;
export type ShareType = (typeof shareTypes)[number];

/** The stored types of activities. Feed items can also be a `suggestion`. */
export const activityTypes = ['agent_published', 'agent_shared', 'conversation_shared'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Maximum number of messages in a share. */
export const maxSharedMessages = 200;

/** Changes to the caller's profile. Omitted fields stay unchanged; `null` removes the banner. */
export const socialProfileInput = z
  .object({
    bannerUrl: z.string().max(2_048).nullable(),
    visibility: z.enum(profileVisibilities),
    showFollowing: z.boolean(),
    showMature: z.boolean(),
  })
  .partial();

export const listInput = pageInput();

const given = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

const issue = (field: string, code: string, message: string) => ({
  code: 'custom' as const,
  path: [field],
  message,
  params: { code },
});

export const shareInput = z
  .object({
    type: z.enum(shareTypes),
    agentId: given(z.string()),
    conversationId: given(z.string()),
    upToMessageId: given(z.string()),
    messageIds: given(z.array(z.string()).min(1).max(maxSharedMessages)),
    title: given(name({ max: 200 })),
    note: given(trimmedText({ min: 1, max: 500 })),
    anonymous: given(z.boolean()),
    inFeed: orDefault(z.boolean(), false),
    indexable: orDefault(z.boolean(), false),
  })
  .superRefine((input, ctx) => {
    const { type, upToMessageId, messageIds } = input;
    const [named, other] =
      type === 'agent' ? (['agentId', 'conversationId'] as const) : (['conversationId', 'agentId'] as const);
    if (!input[named]) ctx.addIssue(issue(named, 'required', 'is required'));
    if (input[other]) ctx.addIssue(issue(other, 'conflicting', `is not allowed for a share of type ${type}`));
    if (type === 'agent' && (upToMessageId || messageIds))
      ctx.addIssue(issue('messageIds', 'conflicting', 'is not allowed for a share of type agent'));
    if (upToMessageId && messageIds)
      ctx.addIssue(issue('messageIds', 'conflicting', 'must not be given together with up_to_message_id'));
    if (messageIds && new Set(messageIds).size < messageIds.length)
      ctx.addIssue(issue('messageIds', 'repeated', 'must not contain duplicates'));
    if (input.inFeed && isAnonymous(input))
      ctx.addIssue(issue('anonymous', 'conflicting', 'must be false for a share in the feed, which shows your name'));
  })
  .transform((input) => ({ ...input, anonymous: isAnonymous(input) }));

/** Conversations are shared anonymously by default, agents with the owner's name. */
const isAnonymous = ({ type, anonymous }: { type: ShareType; anonymous?: boolean | undefined }): boolean =>
  anonymous ?? type === 'conversation';

export const feedInput = z
  .object({
    limit: orDefault(z.int().min(1).max(100), 20),
    before: z.string().nullish(),
    since: z.string().nullish(),
  })
  .superRefine(({ before, since }, ctx) => {
    if (before && since) ctx.addIssue(issue('since', 'conflicting', 'must not be given together with before'));
  });
