import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Completion, LanguageModel } from '../../src/conversations/prompt/language-model.ports.ts';
import { AppError } from '../../src/core/errors.ts';
import { builtInModels, type ModelProfile } from '../../src/agents/models.ts';
import { createOpenAiLanguageModel } from '../../src/providers/openai/language-model.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';

export const apiKey = 'sk-secret-of-the-operator';

interface Reading {
  message?: string;
  profile?: Partial<ModelProfile>;
  from?: LanguageModel;
  signal?: AbortSignal;
  onText?: (content: string) => void;
}

/** The language model of the product before a provider that does as a test tells it, until the test is over. */
export function openScriptedProvider() {
  let started: OpenAiSimulator;
  let model: LanguageModel;

  beforeAll(async () => {
    started = await startOpenAiSimulator({ log: pino({ level: 'silent' }), contextTokens: { 'tiny-model': 200 } });
    model = createModel();
    await read();
    started.reset();
  });
  afterEach(() => started.reset());
  afterAll(() => started.stop());

  const createModel = (
    options: { baseUrl?: string; firstDeltaTimeoutMs?: number; idleTimeoutMs?: number; textTimeoutMs?: number } = {},
  ) =>
    createOpenAiLanguageModel({
      apiKey,
      baseUrl: started.baseUrl,
      firstDeltaTimeoutMs: 5_000,
      idleTimeoutMs: 5_000,
      textTimeoutMs: 5_000,
      ...options,
    });

  /** A whole reply: its pieces, and how it ended. */
  async function read({ message = 'Hello', profile, from = model, signal, onText }: Reading = {}): Promise<
    Completion & { pieces: string[]; text: string }
  > {
    const pieces: string[] = [];
    const completion = await from.stream(
      {
        model: { ...builtInModels.default, ...profile },
        turns: [
          { role: 'system', content: 'You are Ada.' },
          { role: 'user', content: message },
        ],
        signal: signal ?? new AbortController().signal,
      },
      onText ?? ((content) => void pieces.push(content)),
    );
    return { ...completion, pieces, text: pieces.join('') };
  }

  async function failure(reading: Reading = {}): Promise<AppError> {
    const error: unknown = await read(reading).then(
      () => new Error('it did not fail'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }

  const simulator: Pick<OpenAiSimulator, 'script' | 'reset' | 'requests'> = {
    script: (rule) => started.script(rule),
    reset: () => started.reset(),
    get requests() {
      return started.requests;
    },
  };
  return { simulator, createModel, read, failure };
}
