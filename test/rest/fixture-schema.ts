import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import {
  Arg,
  buildSchema,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { z } from 'zod';
import { protectRootFields } from '../../schema/access.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from '../../schema/decorators.ts';
import type { Actor } from '../../src/core/actor.ts';
import { AppError, notFound } from '../../src/core/errors.ts';
import { parseInput } from '../../src/core/input.ts';
import { pageInput } from '../../src/core/pagination.ts';

/** A small schema with everything that the projection supports. */
enum ThingSort {
  CREATED_AT = 'created_at',
  NAME = 'name',
}
registerEnumType(ThingSort, { name: 'ThingSort' });

enum ThingEvent {
  THING_CREATED = 'thing.created',
  THINGS_READ = 'things:read',
}
registerEnumType(ThingEvent, { name: 'ThingEvent' });

@ObjectType()
class Part {
  @Field(() => String)
  serialNumber!: string;

  @AbsentWhenNull()
  @Field(() => String, { nullable: true })
  guildId!: string | null;
}

@ObjectType({ description: 'A thing.' })
class Thing {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  displayName!: string;

  @Field(() => String, { nullable: true })
  bodyText!: string | null;

  @Field(() => [ThingEvent])
  events!: ThingEvent[];

  @Field(() => Int)
  messageCount!: number;

  @Field(() => Date)
  createdAt!: Date;

  @AbsentWhenNull()
  @Field(() => String, { nullable: true })
  instructions!: string | null;

  @Field(() => [Part])
  parts!: Part[];

  @GraphqlOnly()
  @Field(() => Thing, { nullable: true })
  parent!: Thing | null;

  @GraphqlOnly()
  @Field(() => String)
  internalNote!: string;
}

@ObjectType()
class ThingList {
  @Field(() => [Thing])
  data!: Thing[];

  @Field(() => Int)
  total!: number;

  @Field(() => Int)
  limit!: number;

  @Field(() => Int)
  offset!: number;

  @Field(() => Boolean)
  hasMore!: boolean;
}

@ObjectType()
class Echo {
  @Field(() => String)
  json!: string;
}

@InputType()
class PartInput {
  @Field(() => String)
  serialNumber!: string;

  @Field(() => Int, { nullable: true })
  unitCount?: number | null;
}

const thingRules = z.object({
  displayName: z.string().max(10),
  bodyText: z.string().max(5).nullish(),
  spareParts: z.array(z.looseObject({ unitCount: z.int().max(90).nullish() })).nullish(),
});

@InputType()
@Rules(thingRules)
class CreateThingInput {
  @Field(() => String)
  displayName!: string;

  @Field(() => String, { nullable: true })
  bodyText?: string | null;

  @Field(() => [ThingEvent], { nullable: true })
  events?: ThingEvent[] | null;

  @Field(() => Boolean, { nullable: true })
  isPublic?: boolean | null;

  @Field(() => [PartInput], { nullable: true })
  spareParts?: PartInput[] | null;
}

@InputType()
class UpdateThingInput {
  @Field(() => String, { nullable: true })
  displayName?: string | null;

  @Field(() => String, { nullable: true })
  bodyText?: string | null;
}

export interface FixtureContext {
  actor: Actor;
  calls: unknown[];
}

const fixtureThing = (id: string): Thing => ({
  id,
  displayName: 'A thing',
  bodyText: null,
  events: [ThingEvent.THING_CREATED],
  messageCount: 3,
  createdAt: new Date('2026-11-21T09:30:00.000Z'),
  instructions: null,
  parts: [
    { serialNumber: 'a', guildId: null },
    { serialNumber: 'b', guildId: 'g' },
  ],
  parent: null,
  internalNote: 'not for REST',
});

const fieldsOf = (input: object): Record<string, unknown> => Object.fromEntries(Object.entries(input));

@Resolver(() => Thing)
class ThingResolver {
  @Access('agents:read')
  @Query(() => Thing)
  thing(@Arg('id', () => ID) id: string, @Ctx() context: FixtureContext): Thing {
    context.calls.push({ id });
    if (id === 'none') throw notFound();
    if (id === 'broken') throw new Error('password=hunter2 at /srv/x.ts');
    if (id === 'busy') throw new AppError('rate_limited', { retryAfterSeconds: 6.2 });
    return fixtureThing(id);
  }

  @Access('agents:read')
  @Query(() => ThingList)
  things(
    @Ctx() context: FixtureContext,
    @Arg('limit', () => Int, { nullable: true }) limit?: number,
    @Arg('offset', () => Int, { nullable: true }) offset?: number,
    @Arg('sort', () => ThingSort, { nullable: true }) sort?: ThingSort,
    @Arg('isPublic', () => Boolean, { nullable: true }) isPublic?: boolean,
    @Arg('since', () => Date, { nullable: true }) since?: Date,
  ): ThingList {
    context.calls.push({ limit, offset, sort, isPublic, since });
    const page = parseInput(pageInput(), { limit, offset });
    return { data: [fixtureThing('1')], total: 1, ...page, hasMore: false };
  }

  @Access('agents:read')
  @Query(() => ThingList)
  exploreThings(@Arg('q', () => String) q: string): ThingList {
    return { data: [fixtureThing(q)], total: 1, limit: 20, offset: 0, hasMore: false };
  }

  @Access('agents:write')
  @Mutation(() => Thing)
  createThing(@Arg('input', () => CreateThingInput) input: CreateThingInput, @Ctx() context: FixtureContext): Thing {
    context.calls.push(structuredClone(fieldsOf(input)));
    parseInput(thingRules, input);
    return Object.assign(fixtureThing('new'), { displayName: input.displayName, bodyText: input.bodyText ?? null });
  }

  @Access('agents:write')
  @Mutation(() => Thing)
  updateThing(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateThingInput) input: UpdateThingInput,
    @Ctx() context: FixtureContext,
  ): Thing {
    context.calls.push({ id, ...fieldsOf(input) });
    return fixtureThing(id);
  }

  @Access('session')
  @Mutation(() => Echo)
  leave(): Echo {
    return { json: 'left' };
  }

  @Access('public')
  @Mutation(() => Echo)
  enter(@Arg('input', () => UpdateThingInput, { nullable: true }) input?: UpdateThingInput | null): Echo {
    return { json: JSON.stringify(input ?? null) };
  }

  @Access('public')
  @Query(() => Echo)
  about(): Echo {
    return { json: 'about' };
  }

  /** GraphQL only: it has no route. */
  @Access('agents:read')
  @Query(() => Echo)
  hidden(): Echo {
    return { json: 'hidden' };
  }

  @FieldResolver(() => [Part])
  parts(@Root() thing: Thing, @Arg('first', () => Int, { defaultValue: 10 }) first: number): Part[] {
    return thing.parts.slice(0, first);
  }
}

export const fixtureSchema = async (): Promise<GraphQLSchema> =>
  protectRootFields(await buildSchema({ resolvers: [ThingResolver], validate: false }));
