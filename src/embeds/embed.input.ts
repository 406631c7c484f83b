import { z } from 'zod';
import { name, text } from '../core/text/text-input.ts';
import { pageInput } from '../core/pagination.ts';
import { parseAllowedOrigin } from './origins.ts';

export const embedIdentities = ['anonymous', 'optional', 'required'] as const;
export type EmbedIdentity = (typeof embedIdentities)[number];

/** What can be wrong with the identity of a visitor. */
export const identityFaults = [
  'missing',
  'malformed',
  'algorithm',
  'signature',
  'audience',
  'subject',
  'expiry_missing',
  'expiry_too_late',
  'expired',
] as const;
export type IdentityFault = (typeof identityFaults)[number];

export const embedChallenges = ['none', 'turnstile'] as const;
export type EmbedChallenge = (typeof embedChallenges)[number];

export const embedPositions = ['right', 'left'] as const;
export type EmbedPosition = (typeof embedPositions)[number];

export const embedThemes = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof embedThemes)[number];

const form = (pattern: RegExp, message: string) =>
  z.string().superRefine((value, ctx) => {
    if (!pattern.test(value)) ctx.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } });
  });

const appearance = z.object({
  /** Title; when null, the name of the agent is shown. */
  title: name({ max: 80 }).nullable(),
  color: form(/^#[0-9a-f]{6}$/i, 'must be a colour such as #4a4fc8'),
  position: z.enum(embedPositions),
  /** Whether the agent's picture is shown. */
  avatar: z.boolean(),
  starters: z.array(name({ max: 200 })).max(6),
  /** Language; when null, that of the browser is used. */
  language: form(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en or pt-BR').nullable(),
  dark: z.enum(embedThemes),
});

export type Appearance = z.output<typeof appearance>;

export const defaultAppearance: Appearance = {
  title: null,
  color: '#4a4fc8',
  position: 'right',
  avatar: true,
  starters: [],
  language: null,
  dark: 'auto',
};

const origin = z.string().transform((value, ctx) => {
  const parsed = parseAllowedOrigin(value);
  if (parsed) return parsed;
  const message =
    'must be https://host or https://*.host or, with test: true, http://host, http://localhost:* or capacitor://localhost';
  ctx.addIssue({ code: 'custom', message, params: { code: 'invalid_origin' } });
  return z.NEVER;
});

const allowedOrigins = z.array(origin).min(1).max(20);

const maxLimit = 1_000_000;
const limits = z.object({
  perDay: z.int().min(1).max(maxLimit),
  perVisitorDay: z.int().min(1).max(maxLimit),
  perAddressHour: z.int().min(1).max(maxLimit),
});

const key = () => form(/^[\x21-\x7e]{1,200}$/, 'must have 1 to 200 visible ASCII characters');

const fields = {
  name: name({ max: 80 }),
  active: z.boolean(),
  allowedOrigins,
  test: z.boolean(),
  identity: z.enum(embedIdentities),
  limits: limits.partial(),
  challenge: z.enum(embedChallenges),
  challengeSiteKey: key().nullable(),
  challengeSecret: key().nullable(),
  appearance: appearance.partial(),
  retentionDays: z.int().min(1).max(365),
  notice: text({ min: 1, max: 1_000 }).nullable(),
};

/** Makes a field optional: `null` counts as not given. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? undefined);

export const createEmbedInput = z.object({
  agentId: z.string(),
  name: fields.name,
  allowedOrigins,
  active: optional(fields.active),
  test: optional(fields.test),
  identity: optional(fields.identity),
  limits: optional(fields.limits),
  challenge: optional(fields.challenge),
  challengeSiteKey: fields.challengeSiteKey.optional(),
  challengeSecret: fields.challengeSecret.optional(),
  appearance: optional(fields.appearance),
  retentionDays: optional(fields.retentionDays),
  notice: fields.notice.optional(),
});

/** Omitted fields do not change. */
export const updateEmbedInput = z.object(fields).partial();

export const listEmbedsInput = pageInput();

export const listVisitorsInput = pageInput();

const maxStatsDays = 90;
export const embedStatsInput = z.object({
  days: z
    .int()
    .min(1)
    .max(maxStatsDays)
    .nullish()
    .transform((days) => days ?? 30),
});
