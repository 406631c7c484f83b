import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Model, ModelId } from '../src/core/models.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { ModelIdEnum } from './enums.ts';

@ObjectType('Model', { description: 'A language model that an agent can run on.' })
class ModelType {
  @Field(() => ModelIdEnum) id!: ModelId;
  @Field(() => String) name!: string;
  @Field(() => String) description!: string;
  @Field(() => Int, { description: 'Tokens of prompt and reply together.' }) contextTokens!: number;
  @Field(() => Boolean, { description: 'Whether an agent without a model gets this one.' }) isDefault!: boolean;
}

@ObjectType({ description: 'The models of the service.' })
class ModelList {
  @Field(() => [ModelType]) data!: ModelType[];
}

const toModel = ({ id, name, description, contextTokens, isDefault }: Model): ModelType => ({
  id,
  name,
  description,
  contextTokens,
  isDefault,
});

@Resolver()
export class ModelResolver {
  @Access('public')
  @Query(() => ModelList, { description: 'The models that an agent can run on.' })
  models(@Ctx() ctx: GraphqlContext): ModelList {
    return { data: Object.values(ctx.config.models).map(toModel) };
  }
}
