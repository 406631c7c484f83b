import { z } from 'zod';
import { httpUrl } from '../core/input.ts';
import { characters, hasVisible, name, text, trimmedText } from '../core/text/text-input.ts';
import { modelIds } from './models.ts';
import { orDefault, pageInput } from '../core/pagination.ts';
import { voiceIds } from './voices.ts';

export const agentCategories = [
  'assistant',
  'tutor',
  'character',
  'coach',
  'companion',
  'creative',
  'developer',
  'other',
] as const;
export type AgentCategory = (typeof agentCategories)[number];

export const agentSorts = ['created_at', 'updated_at', 'name'] as const;
export type AgentSort = (typeof agentSorts)[number];

export const exploreSorts = ['popular', 'recent', 'trending'] as const;
export type ExploreSort = (typeof exploreSorts)[number];

const fields = {
  name: name({ max: 80 }),
  instructions: text({ min: 1, max: 32_000 }),
  description: trimmedText({ max: 300 }).nullish(),
  avatarUrl: httpUrl().nullish(),
  category: z.enum(agentCategories).nullish(),
  // A greeting of blanks counts as empty, so that one is generated.
  greetingMessage: text({ max: 2_000 })
    .transform((greeting) => (hasVisible(greeting) ? greeting : ''))
    .nullish(),
  voiceId: z.enum(voiceIds).nullish(),
};

export const createAgentInput = z.object({
  ...fields,
  model: z.enum(modelIds).default('default'),
  isPublic: z.boolean().default(false),
});

export type AgentFields = z.output<typeof createAgentInput>;

/** Omitted fields do not change; `null` clears a nullable one. */
export const updateAgentInput = z.object({ ...fields, model: z.enum(modelIds), isPublic: z.boolean() }).partial();

export const listAgentsInput = pageInput().extend({ sort: orDefault(z.enum(agentSorts), 'created_at') });

export const exploreAgentsInput = pageInput().extend({
  category: z.enum(agentCategories).nullish(),
  sort: orDefault(z.enum(exploreSorts), 'popular'),
  q: characters({ max: 200 }).nullish(),
});
