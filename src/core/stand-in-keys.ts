/** What is sent to a stand-in where its vendor wants a key. The production profile refuses them as keys. */
export const standInKey = { openai: 'stand-in', stripe: 'sk_test_standin' } as const;

export const standInKeys: ReadonlySet<string> = new Set(Object.values(standInKey));
