import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { Actor } from '../src/core/actor.ts';
import { hasScope } from '../src/core/actor.ts';
import { AppError } from '../src/core/errors.ts';
import type { Access } from './decorators.ts';

type Authorize = (access: Access, actor: Actor) => void;

/**
 * The one decision about who may call an operation. Ownership is not decided here but by the feature's policy.
 * @throws unauthenticated for an anonymous caller, insufficient_scope naming what the credential lacks.
 */
export const authorize: Authorize = (access, actor) => {
  if (access === 'public' || actor.kind === 'system') return;
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated');
  if (access === 'authenticated') return;
  if (access === 'session') {
    if (actor.sessionId !== null) return;
    throw new AppError('insufficient_scope', {
      message: 'This operation needs an access token from login; an API key is not enough.',
    });
  }
  if (hasScope(actor.scopes, access)) return;
  throw new AppError('insufficient_scope', { message: `This operation needs the scope \`${access}\`.` });
};

/** What a root field declares with `@Access`, or null. */
export const accessOf = (field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Access | null =>
  typeof field.extensions.access === 'string' ? (field.extensions.access as Access) : null;

/**
 * Puts the decision in front of every query, mutation and subscription, in place, once, after the schema is built.
 * The GraphQL context has to carry the caller as `actor`.
 * @throws Error at start that names each root field without `@Access`, so that none can be forgotten.
 */
export const protectRootFields = (schema: GraphQLSchema, decide: Authorize = authorize): GraphQLSchema => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const undeclared: string[] = [];
  for (const root of roots) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const access = accessOf(field);
      if (access === null) undeclared.push(`${root?.name}.${field.name}`);
      else protectField(field, access, decide);
    }
  }
  if (undeclared.length > 0) throw new Error(`Root fields without @Access: ${undeclared.join(', ')}`);
  return schema;
};

const protectField = (field: GraphQLField<unknown, { actor: Actor }>, access: Access, decide: Authorize): void => {
  const guarded =
    (run: GraphQLFieldResolver<unknown, { actor: Actor }>): GraphQLFieldResolver<unknown, { actor: Actor }> =>
    (source, args, context, info) => {
      decide(access, context.actor);
      return run(source, args, context, info);
    };
  // A subscription is decided when it starts; its events are then resolved for that subscriber only.
  if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
  else if (field.resolve !== undefined) field.resolve = guarded(field.resolve);
  else throw new Error(`Root field ${field.name} has no resolver to protect.`);
};
