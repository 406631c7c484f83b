import { z } from 'zod';

export const modelIds = ['default', 'creative', 'precise', 'fast'] as const;

export type ModelId = (typeof modelIds)[number];

/** A model of the service: what its users see of it, and what the provider is asked for. */
export interface ModelProfile {
  id: ModelId;
  name: string;
  description: string;
  providerModel: string;
  temperature: number;
  /** Tokens of prompt and reply together. */
  contextTokens: number;
  /** Tokens kept free for the reply. */
  maxOutputTokens: number;
  isDefault: boolean;
}

export type ModelTable = Readonly<Record<ModelId, ModelProfile>>;

const builtIn: ModelTable = {
  default: {
    id: 'default',
    name: 'Default',
    description: 'Balanced: good answers at a good speed.',
    providerModel: 'gpt-5-mini',
    temperature: 0.7,
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    isDefault: true,
  },
  creative: {
    id: 'creative',
    name: 'Creative',
    description: 'Livelier and less predictable: stories, characters, ideas.',
    providerModel: 'gpt-5',
    temperature: 1,
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    isDefault: false,
  },
  precise: {
    id: 'precise',
    name: 'Precise',
    description: 'Sticks to the facts that it was given: tutoring, documents, code.',
    providerModel: 'gpt-5',
    temperature: 0.1,
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    isDefault: false,
  },
  fast: {
    id: 'fast',
    name: 'Fast',
    description: 'Short waits for short answers.',
    providerModel: 'gpt-5-nano',
    temperature: 0.7,
    contextTokens: 64_000,
    maxOutputTokens: 2_048,
    isDefault: false,
  },
};

const override = z
  .strictObject({
    name: z.string().min(1).max(80),
    description: z.string().max(300),
    providerModel: z.string().min(1),
    temperature: z.number().min(0).max(2),
    contextTokens: z.int().min(1_024),
    maxOutputTokens: z.int().min(64),
  })
  .partial();

/** The built-in models with those of `MODELS` (JSON, by id, any subset of fields) over them. @throws Error naming what is wrong */
export function parseModels(json: string | undefined): ModelTable {
  const result = z.partialRecord(z.enum(modelIds), override).safeParse(json === undefined ? {} : JSON.parse(json));
  if (!result.success)
    throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
  const entries = modelIds.map((id) => [id, { ...builtIn[id], ...result.data[id] }] as const);
  for (const [id, model] of entries) {
    if (model.maxOutputTokens * 2 > model.contextTokens)
      throw new Error(`${id}.maxOutputTokens must be at most half of contextTokens`);
  }
  return Object.freeze(Object.fromEntries(entries) as unknown as ModelTable);
}
