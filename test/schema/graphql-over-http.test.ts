import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('/graphql', () => {
  const audits = serverAudits({ url: () => `${app.baseUrl}/graphql` });

  test('is checked by all 61 audits', () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
    'passes audit %s of graphql-http: %s',
    async (_id, _name, audit) => {
      const result = await audit.fn();
      expect([result.status, 'reason' in result ? result.reason : '']).toEqual(['ok', '']);
    },
  );
});
