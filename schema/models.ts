import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { builtInModels, type Model, type ModelId } from '../src/agents/models.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const ModelIdEnum = enumType<ModelId>('ModelId', 'Language model.', {
  default: builtInModels.default.description,
  creative: builtInModels.creative.description,
  precise: builtInModels.precise.description,
  fast: builtInModels.fast.description,
});

@ObjectType('Model', { description: 'A language model that an agent can use.' })
class ModelType {
  @Field(() => ModelIdEnum, { description: 'Model ID.' }) id!: ModelId;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { description: 'Strengths of the model.' }) description!: string;
  @Field(() => Int, { description: 'Size of the context window in tokens, for prompt and reply together.' })
  contextTokens!: number;
  @Field(() => Boolean, { description: 'Whether agents use this model by default.' }) isDefault!: boolean;
}

@ObjectType({ description: 'The available language models.' })
class ModelList {
  @Field(() => [ModelType], { description: 'Language models.' }) data!: ModelType[];
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
  @Query(() => ModelList, { description: 'Lists the language models that an agent can use.' })
  models(@Ctx() ctx: GraphqlContext): ModelList {
    return { data: Object.values(ctx.config.models).map(toModel) };
  }
}
