import { describe, expect, test } from 'vitest';
import { builtInModels, parseModels } from '../../src/agents/models.ts';

describe('MODELS', () => {
  test('changes only what it names', () => {
    const models = parseModels('{"fast": {"providerModel": "llama-4", "contextTokens": 16000}}');
    expect(models.fast).toMatchObject({
      id: 'fast',
      name: 'Fast',
      providerModel: 'llama-4',
      contextTokens: 16_000,
      temperature: builtInModels.fast.temperature,
    });
    expect(models.fast.reasoningEffort).toBeUndefined();
    expect(models.default).toEqual(builtInModels.default);
  });

  test.each([
    ['{', 'is not JSON'],
    ['{"turbo": {}}', 'turbo'],
    ['{"fast": {"temperature": 3}}', 'fast.temperature'],
    ['{"fast": {"tempo": 1}}', 'tempo'],
    ['{"fast": {"contextTokens": 1000, "maxOutputTokens": 1000}}', 'maxOutputTokens'],
  ])('refuses %s and says why', (json, reason) => {
    expect(() => parseModels(json)).toThrow(reason);
  });

  test('has exactly one default', () => {
    expect(Object.values(builtInModels).filter((model) => model.isDefault)).toHaveLength(1);
  });
});
