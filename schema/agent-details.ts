import { owns } from '../src/core/actor.ts';
import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { PublicProfile } from '../src/accounts/public-profiles.ts';
import { AgentType } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { GraphqlOnly } from './decorators.ts';

@ObjectType('PublicProfile', { description: 'The public part of an account.' })
export class PublicProfileType {
  @Field(() => ID, { description: 'User ID (`usr_…`).' }) id!: string;
  @Field(() => String, { description: 'Unique name.' }) username!: string;
  @Field(() => String, { nullable: true, description: 'Display name; null until the user sets one.' })
  displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
}

@Resolver(() => AgentType)
export class AgentDetailResolver {
  @GraphqlOnly()
  @FieldResolver(() => PublicProfileType, {
    nullable: true,
    description: 'The user who created the agent; null when the account was deleted.',
  })
  creator(@Root() agent: AgentType, @Ctx() ctx: GraphqlContext): Promise<PublicProfile | null> {
    return ctx.loaders.publicProfile.load(agent.creatorId);
  }

  @GraphqlOnly()
  @FieldResolver(() => Boolean, { description: 'Whether the caller owns the agent.' })
  isMine(@Root() agent: AgentType, @Ctx() { actor }: GraphqlContext): boolean {
    return owns(actor, agent.creatorId);
  }

  @GraphqlOnly()
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of documents, excluding failed ones; null for another user’s agent.',
  })
  documentCount(@Root() agent: AgentType, @Ctx() ctx: GraphqlContext): Promise<number | null> {
    return ctx.loaders.documentCount.load(agent.id);
  }
}
