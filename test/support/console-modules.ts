import { afterAll, vi } from 'vitest';

/** Returns the data of a response, by the name of the operation. */
export type Answers = Record<string, (variables: never) => object>;

/**
 * Stubs what modules of the console use of a browser, until the tests of the file are done. Import them after the call.
 * No account is signed in, and responses have the data in `answers`.
 */
export function stubBrowser(answers: Answers = {}): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('window', { innerHeight: 800 });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string }) => {
    const { query = '', variables = {} } = JSON.parse(body ?? '{}') as { query?: string; variables?: object };
    const [, operation = ''] = /(?:query|mutation) (\w+)/.exec(query) ?? [];
    const data = answers[operation]?.(variables as never);
    const url = `http://localhost${path}`;
    return { ok: true, status: data ? 200 : 204, url, headers: new Headers(), json: async () => ({ data }) };
  });
  afterAll(() => void vi.unstubAllGlobals());
}
