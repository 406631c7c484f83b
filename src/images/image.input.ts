import { z } from 'zod';
import { trimmedText } from '../core/text/text-input.ts';
import { orDefault, pageInput } from '../core/pagination.ts';
import { imageKinds } from './encoding/variants.ts';

export const imageStyles = ['photo', 'illustration', 'anime', 'pixel', 'watercolor', 'minimal'] as const;
export type ImageStyle = (typeof imageStyles)[number];

export const imageStatuses = ['processing', 'ready', 'failed'] as const;
export type ImageStatus = (typeof imageStatuses)[number];

/** Largest number of drafts in one request. */
const maxCount = 4;

const issue = (field: string, code: string, message: string) => ({
  code: 'custom' as const,
  path: [field],
  message,
  params: { code },
});

export const generateImagesInput = z
  .object({
    kind: z.enum(imageKinds),
    prompt: trimmedText({ max: 1_000 }).nullish(),
    style: z.enum(imageStyles).nullish(),
    agentId: z.string().nullish(),
    count: orDefault(z.int().min(1).max(maxCount), 1),
    apply: orDefault(z.boolean(), false),
  })
  .superRefine(({ prompt, agentId, count, apply }, ctx) => {
    if (!prompt && !agentId) ctx.addIssue(issue('prompt', 'required', 'is required without an agent'));
    if (apply && count > 1) ctx.addIssue(issue('apply', 'conflicting', 'applies to a single image: count must be 1'));
  });

export const uploadImageInput = z.object({
  kind: z.enum(imageKinds),
  agentId: z.string().nullish(),
  apply: orDefault(z.boolean(), false),
});

export const applyImageInput = z
  .object({ agentId: z.string().nullish(), profile: orDefault(z.boolean(), false) })
  .superRefine(({ agentId, profile }, ctx) => {
    if (Boolean(agentId) === profile)
      ctx.addIssue(issue('agentId', 'required', 'give either agent_id or profile: true'));
  });

export const listImagesInput = pageInput().extend({
  kind: z.enum(imageKinds).nullish(),
  agentId: z.string().nullish(),
  status: z.enum(imageStatuses).nullish(),
});
