import { Extensions } from 'type-graphql';
import type { z } from 'zod';
import type { Scope } from '../src/core/actor.ts';

/**
 * Who may call a root field: a scope that the credential must hold, anybody (`public`), any credential
 * (`authenticated`), or the person in front of the screen (`session`: an access token, never an API key).
 */
export type Access = Scope | 'public' | 'authenticated' | 'session';

type Decorate = MethodDecorator & PropertyDecorator;

/** Declares who may call a query, mutation or subscription. A root field without it stops the start. */
export const Access = (access: Access): Decorate => Extensions({ access }) as Decorate;

/** Keeps a field out of REST: internal frontends read it over GraphQL, the public interface does not have it. */
export const GraphqlOnly = (): Decorate => Extensions({ graphqlOnly: true }) as Decorate;

/** Leaves the key out of REST answers while the field is null, for fields that a thing may not have at all. */
export const AbsentWhenNull = (): Decorate => Extensions({ absentWhenNull: true }) as Decorate;

/**
 * The operation's own rules for an input type. REST names with them, in one answer, what breaks a rule beside what has a
 * wrong type or is missing; the operation checks them in any case.
 */
export const Rules = (rules: z.ZodType): ClassDecorator => Extensions({ rules }) as ClassDecorator;

/** Arguments that REST does not have: it pages as its specification says. */
export const graphqlOnlyArguments: ReadonlySet<string> = new Set(['after']);
