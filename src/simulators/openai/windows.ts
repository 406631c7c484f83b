const windows: Readonly<Record<string, number>> = {
  'gpt-6-luna': 1_050_000,
  'gpt-4.1': 1_047_576,
  'gpt-4.1-mini': 1_047_576,
  'gpt-4o': 128_000,
  'gpt-4o-mini': 128_000,
};

/** Returns the context window of a model; 128,000 for unknown names, so that any MODELS setting works. */
export const contextWindow =
  (overrides: Readonly<Record<string, number>> = {}) =>
  (model: string): number =>
    overrides[model] ?? windows[model] ?? 128_000;

/** Returns the body of `GET /models`. */
export const listModels = () => ({
  object: 'list',
  data: [...Object.keys(windows), 'text-embedding-3-small', 'text-embedding-3-large'].map((id) => ({
    id,
    object: 'model',
    created: 1_760_000_000,
    owned_by: 'simulator',
  })),
});
