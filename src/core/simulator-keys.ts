/** What is sent to a simulator where its vendor wants a key. The production profile refuses them as keys. */
export const simulatorKey = {
  openai: 'simulator',
  stripe: 'sk_test_simulator',
  turnstile: 'turnstile-simulator',
} as const;

export const simulatorKeys: ReadonlySet<string> = new Set(Object.values(simulatorKey));
