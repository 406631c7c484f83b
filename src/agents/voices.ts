import { z } from 'zod';

export const voiceIds = ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer'] as const;

export type VoiceId = (typeof voiceIds)[number];

export const defaultVoiceId: VoiceId = 'alloy';

/** A voice with its presentation to users and its name at the provider. */
export interface Voice {
  id: VoiceId;
  name: string;
  description: string;
  isDefault: boolean;
  /** Name of the voice at the provider. */
  providerVoice: string;
}

/** All voices of the service, in list order. */
export type VoiceTable = Readonly<Record<VoiceId, Readonly<Voice>>>;

const descriptions: Record<VoiceId, string> = {
  alloy: 'Neutral.',
  echo: 'Warm.',
  fable: 'Expressive.',
  nova: 'Bright.',
  onyx: 'Deep.',
  shimmer: 'Soft.',
};

const overrides = z.partialRecord(
  z.enum(voiceIds),
  z
    .strictObject({
      name: z.string().trim().min(1).max(80),
      description: z.string().trim().max(500),
      providerVoice: z.string().trim().min(1).max(200),
    })
    .partial(),
);

/**
 * Returns the built-in voices with the overrides of VOICES, for example `{"alloy": {"providerVoice": "marin"}}`.
 * @throws Error that lists every fault
 */
export function parseVoices(json: string | undefined): VoiceTable {
  const parsed = overrides.safeParse(json === undefined ? {} : parseJson(json));
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; '));
  }
  return Object.freeze(
    Object.fromEntries(voiceIds.map((id) => [id, { ...builtIn(id), ...parsed.data[id] }])),
  ) as VoiceTable;
}

const builtIn = (id: VoiceId): Voice => ({
  id,
  name: id.replace(/^./, (letter) => letter.toUpperCase()),
  description: descriptions[id],
  isDefault: id === defaultVoiceId,
  providerVoice: id,
});

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('is not JSON');
  }
}
