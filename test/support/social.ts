import type { Account, Answer, Client } from './client.ts';
import { expectStatus } from './client.ts';

/** An account with a username, which paths of profiles need. */
export interface Named extends Account {
  name: string;
}

/** Returns requests for the social tests, made as an account. */
export const socialOf = (app: Client) => {
  const send = (method: string, path: string, { token }: Account, body?: unknown): Promise<Answer> =>
    app.call(method, `/v1${path}`, { as: token, body });
  return {
    send,
    async person(name: string): Promise<Named> {
      const username = `${name}-${Math.random().toString(36).slice(2, 10)}`;
      return { ...(await app.signUp({ username })), name: username };
    },
    get: async (path: string, as: Account) => expectStatus(await send('GET', path, as), 200).body,
    put: async (path: string, as: Account, body?: unknown) => expectStatus(await send('PUT', path, as, body), 200).body,
    remove: async (path: string, as: Account) => expectStatus(await send('DELETE', path, as), 200).body,
    share: async (as: Account, body: object) => expectStatus(await send('POST', '/social/shares', as, body), 201).body,
    /** Returns the statuses of several requests. */
    statuses: async (...answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status),
  };
};

/** Returns the token in the link of a share. */
export const tokenOf = ({ url }: { url: string }): string => url.slice(url.lastIndexOf('/') + 1);
