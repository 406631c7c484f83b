import { z } from 'zod';
import { characters, name, text, trimmedText } from '../core/text/text-input.ts';
import { pageInput } from '../core/pagination.ts';

export const replyModes = ['mention', 'rotate', 'all', 'auto'] as const;
export type RoomReplyMode = (typeof replyModes)[number];

export const payers = ['sender', 'owner'] as const;
export type RoomPayer = (typeof payers)[number];

export const histories = ['from_join', 'all'] as const;
export type RoomHistory = (typeof histories)[number];

export const roomRoles = ['owner', 'moderator', 'member'] as const;
export type RoomRole = (typeof roomRoles)[number];

export const memberStates = ['invited', 'joined', 'left', 'removed', 'banned'] as const;
export type MemberState = (typeof memberStates)[number];

/** Treats `null` for an optional field as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? undefined);

const settings = {
  name: name({ max: 80 }),
  description: trimmedText({ min: 1, max: 300 }).nullable(),
  scene: text({ min: 1, max: 4_000 }).nullable(),
  replyMode: z.enum(replyModes),
  agentHops: z.int().min(0).max(4),
  repliesPerMessage: z.int().min(1).max(10),
  payer: z.enum(payers),
  history: z.enum(histories),
};

export const createRoomInput = z.object({
  name: settings.name,
  description: settings.description.optional(),
  scene: settings.scene.optional(),
  replyMode: optional(settings.replyMode),
  agentHops: optional(settings.agentHops),
  repliesPerMessage: optional(settings.repliesPerMessage),
  payer: optional(settings.payer),
  history: optional(settings.history),
});

/** Only the given fields change. */
export const updateRoomInput = z.object(settings).partial();

export const listRoomsInput = pageInput();
export const listMembersInput = pageInput();

const usableRole = z.enum(['moderator', 'member']);

export const inviteInput = z.object({ username: characters({ min: 1, max: 100 }), role: optional(usableRole) });

export const updateMemberInput = z
  .object({
    role: z.enum(roomRoles),
    state: z.enum(memberStates),
    mutedUntil: z.coerce.date().nullable(),
    showsPresence: z.boolean(),
  })
  .partial();

export const transferInput = z.object({ userId: z.string() });

const dayMs = 86_400_000;
/** Maximum validity of a link. */
export const longestInvitationMs = 30 * dayMs;
export const usualInvitationMs = 7 * dayMs;

export const createInvitationInput = z.object({
  role: optional(usableRole),
  expiresAt: optional(z.coerce.date()),
  maxUses: optional(z.int().min(1).max(100)),
});

export const joinByLinkInput = z.object({ token: z.string().min(1).max(200) });

export const addAgentInput = z.object({ agentId: z.string() });
export const updateAgentInput = z.object({ muted: z.boolean(), position: z.int().min(1).max(1_000) }).partial();

export const postMessageInput = z.object({
  content: text({ min: 1, max: 8_000 }),
  replyTo: z.string().nullish(),
});

export const requestTurnInput = z.object({ agentId: z.string() });
export const readInput = z.object({ position: z.int().min(0) });

const limit = z
  .int()
  .min(1)
  .max(100)
  .nullish()
  .transform((given) => given ?? 20);
/** Page of the newest items before an id. */
export const beforeInput = z.object({ limit, before: z.string().nullish() });
