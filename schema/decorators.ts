import { Extensions } from 'type-graphql';
import type { z } from 'zod';
import type { Scope } from '../src/core/actor.ts';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';

/**
 * The callers that may use a root field: holders of a scope, anyone (`public`), any credential (`authenticated`), a
 * user who logged in (`session`: an access token, never an API key), or such a user who is a moderator (`moderator`).
 * For other credentials, an operation for moderators does not exist.
 */
export type Access = Scope | 'public' | 'authenticated' | 'session' | 'moderator';

type Decorate = MethodDecorator & PropertyDecorator;

/** Declares who may call a query, mutation or subscription. The service does not start if a root field lacks it. */
export const Access = (access: Access): Decorate => Extensions({ access }) as Decorate;

/** Counts calls of a root field against a separate rate limit instead of the general one. */
export const RateLimit = (ownLimit: OwnLimit): Decorate => Extensions({ ownLimit }) as Decorate;

/** Allows a root field only once per GraphQL request, because a call is expensive. */
export const OncePerRequest = (): Decorate => Extensions({ oncePerRequest: true }) as Decorate;

/** Declares the size of a list without a `limit` argument, for the estimated cost of an operation. */
export const ListSize = (listSize: number): Decorate => Extensions({ listSize }) as Decorate;

/** Hides a field from REST, whose response shapes are fixed by the specification. */
export const GraphqlOnly = (): Decorate => Extensions({ graphqlOnly: true }) as Decorate;

/** Omits a field from REST responses while it is null. */
export const AbsentWhenNull = (): Decorate => Extensions({ absentWhenNull: true }) as Decorate;

/** Omits a field from REST responses to callers without a credential, for whom it is null. */
export const AbsentWithoutCredential = (): Decorate => Extensions({ absentWithoutCredential: true }) as Decorate;

/**
 * Declares the validation rules of an input type. If a REST request has type errors, violations of these rules are
 * reported in the same response. The operation always validates the rules itself.
 */
export const Rules = (rules: z.ZodType): ClassDecorator => Extensions({ rules }) as ClassDecorator;

/** Arguments that REST does not have, because its specification requires paging by offset. */
export const graphqlOnlyArguments: ReadonlySet<string> = new Set(['after', 'around', 'newerThan']);
