import { Extensions } from 'type-graphql';
import type { z } from 'zod';
import type { Scope } from '../src/core/actor.ts';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';

/**
 * Who may call a root field: a scope that the credential must hold, anyone (`public`), any credential (`authenticated`),
 * a user who logged in (`session`: an access token, never an API key), or such a user who is a moderator (`moderator`): for
 * everybody else with a credential the operation does not exist.
 */
export type Access = Scope | 'public' | 'authenticated' | 'session' | 'moderator';

type Decorate = MethodDecorator & PropertyDecorator;

/** Declares who may call a query, mutation or subscription. The service does not start with an undeclared root field. */
export const Access = (access: Access): Decorate => Extensions({ access }) as Decorate;

/** Counts calls of a root field against its own rate limit in place of the general one. */
export const RateLimit = (ownLimit: OwnLimit): Decorate => Extensions({ ownLimit }) as Decorate;

/** Allows a root field only once in a GraphQL request, because one call is expensive. */
export const OncePerRequest = (): Decorate => Extensions({ oncePerRequest: true }) as Decorate;

/** States the size of a list that has no `limit`, for the cost of a GraphQL operation. */
export const ListSize = (listSize: number): Decorate => Extensions({ listSize }) as Decorate;

/** Hides a field from REST, whose response shapes are fixed by the specification. */
export const GraphqlOnly = (): Decorate => Extensions({ graphqlOnly: true }) as Decorate;

/** Omits the field from REST responses while it is null. */
export const AbsentWhenNull = (): Decorate => Extensions({ absentWhenNull: true }) as Decorate;

/**
 * The operation's own rules for an input type. When a request has faults of type, REST reports broken rules in the same
 * response; the operation validates them in any case.
 */
export const Rules = (rules: z.ZodType): ClassDecorator => Extensions({ rules }) as ClassDecorator;

/** Arguments that REST does not have: its specification pages by offset. */
export const graphqlOnlyArguments: ReadonlySet<string> = new Set(['after', 'around', 'newerThan']);
