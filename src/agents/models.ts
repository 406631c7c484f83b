import { z } from 'zod';

export const modelIds = ['default', 'creative', 'precise', 'fast'] as const;

export type ModelId = (typeof modelIds)[number];

/** Provider settings of one of the service's models. */
export interface ModelProfile {
  id: ModelId;
  /** Name of the model at the provider. */
  providerModel: string;
  /** Temperature from 0 to 2. Not sent with a reasoning effort, because reasoning models reject it. */
  temperature: number;
  /**
   * Largest size of prompt and reply together. Can be smaller than the provider allows, because history costs money.
   */
  contextTokens: number;
  maxOutputTokens: number;
  /** Reasoning effort, which is sent when set. `none` keeps a reasoning model from thinking before its first word. */
  reasoningEffort?: ReasoningEffort | undefined;
  /** Fields of a request that the provider refuses. `max_tokens` replaces `max_completion_tokens`. */
  unsupportedFields: readonly OptionalField[];
}

const optionalFields = [
  'max_completion_tokens',
  'max_tokens',
  'stream_options',
  'temperature',
  'reasoning_effort',
] as const;

/** A field of a request for a completion that some providers refuse. */
export type OptionalField = (typeof optionalFields)[number];

/** Settings of a model and its presentation to users. */
export interface Model extends ModelProfile {
  name: string;
  description: string;
  isDefault: boolean;
}

/** All models of the service, in list order. */
export type ModelTable = Readonly<Record<ModelId, Readonly<Model>>>;

const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

/**
 * gpt-4o and gpt-4.1 are retired on 2027-01-14; gpt-6-luna is the replacement.
 * @see https://developers.openai.com/api/docs/deprecations
 */
const provided = { providerModel: 'gpt-6-luna', reasoningEffort: 'none', unsupportedFields: [] } as const;

export const builtInModels: ModelTable = {
  default: {
    ...provided,
    id: 'default',
    name: 'Default',
    description: 'Balanced; suits most conversations.',
    temperature: 0.7,
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    isDefault: true,
  },
  creative: {
    ...provided,
    id: 'creative',
    name: 'Creative',
    description: 'More varied and surprising: stories, ideas, role play.',
    temperature: 1.1,
    contextTokens: 128_000,
    maxOutputTokens: 8_192,
    isDefault: false,
  },
  precise: {
    ...provided,
    id: 'precise',
    name: 'Precise',
    description: 'Sticks to the facts: support, study, questions about documents.',
    temperature: 0.1,
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    isDefault: false,
  },
  fast: {
    ...provided,
    id: 'fast',
    name: 'Fast',
    description: 'Short answers, quickly, with a shorter memory.',
    temperature: 0.5,
    contextTokens: 32_000,
    maxOutputTokens: 1_024,
    isDefault: false,
  },
};

const override = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(500),
    providerModel: z.string().trim().min(1).max(200),
    temperature: z.number().min(0).max(2),
    contextTokens: z.int().min(256).max(10_000_000),
    maxOutputTokens: z.int().min(16).max(1_000_000),
    reasoningEffort: z.enum(reasoningEfforts),
    unsupportedFields: z.array(z.enum(optionalFields)).max(optionalFields.length),
  })
  .partial();

const overrides = z.partialRecord(z.enum(modelIds), override);

/**
 * Returns the built-in models with the overrides of MODELS, for example `{"fast": {"providerModel": "llama-4",
 * "contextTokens": 16000}}`. An override with another provider model drops the built-in reasoning effort, which that
 * model may not support.
 * @throws Error that lists every fault
 */
export function parseModels(json: string | undefined): ModelTable {
  if (json === undefined) return builtInModels;
  const parsed = overrides.safeParse(parseJson(json));
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; '));
  }
  const table = Object.fromEntries(
    modelIds.map((id) => [id, { ...builtIn(id, parsed.data[id]?.providerModel), ...parsed.data[id] }]),
  );
  for (const model of Object.values(table)) {
    if (model.maxOutputTokens * 2 > model.contextTokens) {
      throw new Error(`${model.id}.maxOutputTokens must be at most half of contextTokens (${model.contextTokens})`);
    }
  }
  return Object.freeze(table) as unknown as ModelTable;
}

const builtIn = (id: ModelId, providerModel: string | undefined): Model => ({
  ...builtInModels[id],
  reasoningEffort: providerModel === undefined ? builtInModels[id].reasoningEffort : undefined,
});

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('is not JSON');
  }
}
