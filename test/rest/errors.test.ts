import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorResponse } from '../../rest/errors.ts';
import { AppError, errorTable, type ErrorCode } from '../../src/core/errors.ts';
import { fixtureApp, type FixtureApp } from './fixture-app.ts';

const codes = Object.keys(errorTable) as ErrorCode[];

describe('errorResponse', () => {
  it.each(codes)('%s has its status and message, and no details', (code) => {
    const { status, body } = errorResponse(new AppError(code));
    expect(status).toBe(errorTable[code].status);
    expect(body).toEqual({ error: { code, message: errorTable[code].message } });
  });

  it('unwraps GraphQL errors', () => {
    const inner = new GraphQLError('x', { originalError: new AppError('conflict', { message: 'Twice.' }) });
    expect(errorResponse(new GraphQLError('y', { originalError: inner })).body.error).toEqual({
      code: 'conflict',
      message: 'Twice.',
    });
  });

  it('uses wire names of fields, also in the message', () => {
    const details = [{ field: 'spareParts[0].serialNumber', code: 'required', message: 'is required' }];
    const { body } = errorResponse(
      new AppError('invalid_request', { message: 'spareParts[0].serialNumber: is required', details }),
    );
    expect(body.error.message).toBe('spare_parts[0].serial_number: is required');
    expect(body.error.details).toEqual([{ ...details[0], field: 'spare_parts[0].serial_number' }]);
  });

  it('returns 503 with Retry-After for a failure of the database', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const { status, headers, body } = errorResponse(error);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    [new Error('secret')],
    [new TypeError('x is not a function')],
    ['text'],
    [null],
    [undefined],
    [{ statusCode: 404 }],
  ])('hides the details of an unexpected error: %s', (thrown) => {
    expect(errorResponse(thrown).body).toEqual({
      error: { code: 'internal_error', message: errorTable.internal_error.message },
    });
  });
});

describe('any request body', () => {
  let fixture: FixtureApp;
  beforeAll(async () => {
    fixture = await fixtureApp();
  });
  afterAll(() => fixture.app.close());

  it('never causes a 500, and errors have the envelope', async () => {
    const url = fc.constantFrom('/v1/things', '/v1/things/1', '/v1/things/explore', '/v1/enter', '/v1/leave', '/v1/x');
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE' as const);
    const query = fc.dictionary(
      fc.constantFrom('limit', 'offset', 'sort', 'q', 'since', '__proto__', 'x'),
      fc.string(),
    );
    const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'x');
    const payload = fc.oneof(fc.json(), fc.string());
    await fc.assert(
      fc.asyncProperty(url, method, query, type, payload, async (path, verb, params, contentType, body) => {
        const answer = await fixture.app.inject({
          method: verb as 'GET',
          url: `${path}?${new URLSearchParams(params).toString()}`,
          headers: { authorization: 'Bearer token', ...(verb === 'GET' ? {} : { 'content-type': contentType }) },
          ...(verb === 'GET' ? {} : { payload: body }),
        });
        expect(answer.statusCode).toBeLessThan(500);
        if (answer.statusCode >= 400) {
          const { error } = answer.json<{ error: { code: ErrorCode; message: string } }>();
          expect(errorTable[error.code].status).toBe(answer.statusCode);
          expect(error.message).not.toMatch(/graphql|node_modules|\/rest\/| at /i);
        }
      }),
      { numRuns: 300 },
    );
  });
});
