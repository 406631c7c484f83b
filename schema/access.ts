import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { Actor } from '../src/core/actor.ts';
import { hasScope } from '../src/core/actor.ts';
import { AppError, notFound } from '../src/core/errors.ts';
import type { Access } from './decorators.ts';

type Authorize = (access: Access, actor: Actor, moderators?: readonly string[]) => void;

/**
 * Checks whether a caller may call an operation. Ownership is checked by the feature's policy.
 * @throws AppError `unauthenticated` for an anonymous caller, `insufficient_scope` if the credential lacks the scope or
 * a session, `not_found` if the operation is for moderators and the caller is not one
 */
export const authorize: Authorize = (access, actor, moderators = []) => {
  if (access === 'public' || actor.kind === 'system') return;
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated');
  if (access === 'authenticated') return;
  if (access === 'moderator') {
    if (actor.sessionId !== null && moderators.includes(actor.userId)) return;
    throw notFound();
  }
  if (access === 'session') {
    if (actor.sessionId !== null) return;
    throw new AppError('insufficient_scope', {
      message: 'This operation requires an access token from login; an API key is not sufficient.',
    });
  }
  if (hasScope(actor.scopes, access)) return;
  throw new AppError('insufficient_scope', { message: `This operation requires the scope \`${access}\`.` });
};

/** Returns the access that a root field declares with `@Access`, or null. */
export const accessOf = (field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Access | null =>
  typeof field.extensions.access === 'string' ? (field.extensions.access as Access) : null;

/**
 * Adds the access check to the resolver of every query, mutation and subscription. Changes the schema in place. The
 * GraphQL context must contain the caller as `actor`.
 * @throws Error at startup, naming each root field without `@Access`
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

/** The parts of the GraphQL context that the access check reads. */
interface Caller {
  actor: Actor;
  /** May be missing or empty in tests. */
  config?: { moderation?: { moderators: readonly string[] } };
}

const protectField = (field: GraphQLField<unknown, Caller>, access: Access, decide: Authorize): void => {
  const guarded =
    (run: GraphQLFieldResolver<unknown, Caller>): GraphQLFieldResolver<unknown, Caller> =>
    (source, args, context, info) => {
      decide(access, context.actor, context.config?.moderation?.moderators);
      return run(source, args, context, info);
    };
  // The access is checked when a subscription starts. Its events are resolved for the same subscriber, so they need no
  // check.
  if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
  else if (field.resolve !== undefined) field.resolve = guarded(field.resolve);
  else throw new Error(`Root field ${field.name} has no resolver to protect.`);
};
