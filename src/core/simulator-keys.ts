/** Keys sent to simulators in place of vendor keys. The production profile rejects them. */
export const simulatorKey = {
  openai: 'simulator',
  stripe: 'sk_test_simulator',
  turnstile: 'turnstile-simulator',
} as const;

export const simulatorKeys: ReadonlySet<string> = new Set(Object.values(simulatorKey));
