import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { withModerator } from '../support/moderators.ts';

/** Settings of every instance, because each of them may run the content check. */
export const protectedNames = { PROTECTED_NAMES: 'Acme Bank' };

interface Lab {
  app: TestApp;
  /** The instance that knows `moderator` as a moderator. */
  desk: TestApp;
  moderator: Account;
  owner: Account;
  reader: Account;
}

/** Shared by the tests of a file. */
export const lab = {} as Lab;

/** Starts the instances and accounts for the tests of a file. */
export function useModeration(): void {
  beforeAll(async () => {
    const app = await startTestApp({ env: protectedNames });
    const [moderator, owner, reader] = await Promise.all([
      app.signUp(),
      app.signUp({ plan: 'creator' }),
      app.signUp({ plan: 'pro' }),
    ]);
    const desk = await withModerator(app, moderator, protectedNames);
    Object.assign(lab, { app, desk, moderator, owner, reader });
  });
  afterAll(async () => {
    await lab.desk.close();
    await lab.app.close();
  });
  beforeEach(() => lab.app.model.reset());
}

export const get = (path: string, as?: string) => lab.app.call('GET', path, as ? { as } : {});
export const publish = (fields: object = {}, as = lab.owner.token) =>
  lab.app.createAgent(as, { is_public: true, ...fields });
export const report = (subject_id: string, as?: string, fields: object = {}) =>
  lab.app.call('POST', '/v1/reports', {
    ...(as ? { as } : {}),
    body: { subject_type: 'agent', subject_id, reason: 'deception', ...fields },
  });
export const decide = (subject_id: string, action: string, fields: object = {}) =>
  lab.desk.call('POST', '/v1/moderation/decisions', {
    as: lab.moderator.token,
    body: {
      subject_type: 'agent',
      subject_id,
      action,
      reason: 'deception',
      statement: 'It claims too much.',
      ...fields,
    },
  });
export const caseOf = async (id: string, type = 'agent') =>
  (await lab.desk.call('GET', `/v1/moderation/cases/${type}/${id}`, { as: lab.moderator.token })).body;
export const isListed = async (name: string) =>
  (await get(`/v1/marketplace?q=${name}`)).body.data.some((item: { name: string }) => item.name === name);
export const stateOf = async (id: string) =>
  (await lab.app.db.query('select moderation_state as state from agents where id = $1', [id])).rows[0]?.state;
