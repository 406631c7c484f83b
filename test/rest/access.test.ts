import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { authorize, protectRootFields } from '../../schema/access.ts';
import type { Actor, Scope } from '../../src/core/actor.ts';
import { catalog } from '../../src/app/features.ts';

const key = (held: readonly Scope[]): Actor => ({
  kind: 'user',
  userId: 'usr_1',
  plan: 'free',
  ip: null,
  scopes: held,
  sessionId: null,
  apiKeyId: 'key_1',
});
const session: Actor = { ...key(catalog.scopes), kind: 'user', sessionId: 'ses_1', apiKeyId: null } as Actor;
const anonymous: Actor = { kind: 'anonymous', ip: null };

describe('authorize', () => {
  it.each(['authenticated', 'session', 'agents:read'] as const)(
    'asks an anonymous caller for a credential: %s',
    (access) => {
      expect(() => authorize(access, anonymous)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    },
  );

  it('allows every caller to use public operations', () => {
    expect(() => authorize('public', anonymous)).not.toThrow();
  });

  it.each(catalog.scopes.flatMap((wanted) => catalog.scopes.map((held) => [held, wanted] as const)))(
    'a key with %s alone meets %s only when it includes it',
    (held, wanted) => {
      const grants = held === wanted || (wanted.endsWith(':read') && held === wanted.replace('read', 'write'));
      const attempt = () => authorize(wanted, key([held]));
      if (grants) expect(attempt).not.toThrow();
      else
        expect(attempt).toThrow(
          expect.objectContaining({ code: 'insufficient_scope', message: expect.stringContaining(wanted) }),
        );
    },
  );

  it('refuses API keys where a session is required', () => {
    expect(() => authorize('session', key(catalog.scopes))).toThrow(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
    expect(() => authorize('session', session)).not.toThrow();
  });
});

describe('protectRootFields', () => {
  it('throws for a root field without a declared access, naming it', () => {
    const field = { type: GraphQLString, resolve: () => 'x' };
    const schema = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: { a: { ...field, extensions: { access: 'public' } }, b: field },
      }),
      mutation: new GraphQLObjectType({ name: 'Mutation', fields: { c: field } }),
    });
    expect(() => protectRootFields(schema)).toThrow('Query.b, Mutation.c');
  });

  it('checks a subscription when it starts', async () => {
    const fields = {
      s: {
        type: GraphQLString,
        extensions: { access: 'session' },
        subscribe: () => (async function* () {})(),
        resolve: () => 'x',
      },
    };
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { a: { type: GraphQLString, resolve: () => 'x', extensions: { access: 'public' } } },
    });
    const schema = protectRootFields(
      new GraphQLSchema({ query, subscription: new GraphQLObjectType({ name: 'Subscription', fields }) }),
    );
    const subscribe = schema.getSubscriptionType()?.getFields().s?.subscribe;
    expect(() => subscribe?.(undefined, {}, { actor: anonymous }, {} as never)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});
