import { z } from 'zod';
import { trimmedText } from '../core/text/text-input.ts';
import { platformKinds } from './platforms.ports.ts';

// The formats of the platforms differ and change, so a token only has to be valid in a header and in a URL path.
const botToken = z
  .string()
  .trim()
  .superRefine((value, ctx) => {
    const problem = tokenProblem(value);
    if (problem) ctx.addIssue({ code: 'custom', message: problem, params: { code: 'invalid_token' } });
  });

function tokenProblem(value: string): string | undefined {
  if (value.length === 0) return 'must not be empty';
  if (value.length > 512) return 'must have at most 512 characters';
  return /^[\x21-\x7e]+$/.test(value) && !/[/?#%\\]/.test(value) ? undefined : 'must be a bot token of the platform';
}

const platformId = () => trimmedText({ min: 1, max: 100 });

const channelIds = z
  .array(platformId())
  .min(1)
  .max(100)
  .transform((ids) => [...new Set(ids)]);

const bot = z.object({ agentId: z.string(), botToken });

export const connectServerInput = bot.extend({ guildId: platformId(), channelIds });
export const connectMessengerInput = bot;
export const connectWorkspaceInput = bot.extend({ workspaceId: platformId(), channelIds });

export const discoverChannelsInput = z.object({ platform: z.enum(platformKinds), botToken });

/** Omitted fields do not change. */
export const updateIntegrationInput = z.object({ channelIds, active: z.boolean(), autoRespond: z.boolean() }).partial();
