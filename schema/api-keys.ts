import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { ApiKey } from '../src/api-keys/api-key.entity.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../src/api-keys/api-keys.ts';
import type { Scope } from '../src/core/actor.ts';
import { createApiKeyInput, rotateApiKeyInput } from '../src/api-keys/api-key.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';
import { ScopeEnum } from './enums.ts';

@ObjectType('ApiKey', { description: 'A credential with scopes, for programs.' })
class ApiKeyType {
  @Field(() => ID) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, { description: 'The key with its middle left out.' }) keyHint!: string;
  @Field(() => [ScopeEnum]) scopes!: Scope[];
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'At most a minute behind; null until the first use.' })
  lastUsedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'null for a key that does not expire.' }) expiresAt!: Date | null;
}

@ObjectType({ description: 'A new key. Its secret is shown this once.' })
class CreatedApiKey {
  @Field(() => ID) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, { description: 'The full secret; it can’t be read again.' }) key!: string;
  @Field(() => [ScopeEnum]) scopes!: Scope[];
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true }) lastUsedAt!: Date | null;
  @Field(() => Date, { nullable: true }) expiresAt!: Date | null;
}

@ObjectType({ description: 'The caller’s keys that work.' })
class ApiKeyList {
  @Field(() => [ApiKeyType]) data!: ApiKeyType[];
}

@ObjectType({ description: 'A key that stopped working.' })
class RevokedApiKey {
  @Field(() => String) message!: string;
  @Field(() => ID) id!: string;
  @Field(() => Date) revokedAt!: Date;
}

@InputType()
@Rules(createApiKeyInput)
class CreateApiKeyInput {
  @Field(() => String, { description: '1 to 80 characters.' }) name!: string;
  @Field(() => [ScopeEnum], { description: 'At least one.' }) scopes!: Scope[];
  @Field(() => Date, { nullable: true, description: 'When the key stops working; never when omitted.' })
  expiresAt?: Date | null;
}

@InputType()
@Rules(rotateApiKeyInput)
class RotateApiKeyInput {
  @Field(() => Int, { nullable: true, description: 'How long the old key works on: 0 (default) to 604,800.' })
  overlapSeconds?: number;
}

const toApiKey = (apiKey: ApiKey): Pick<ApiKeyType, keyof ApiKeyType> => ({
  id: apiKey.id,
  name: apiKey.name,
  keyHint: apiKey.keyHint,
  scopes: apiKey.scopes,
  createdAt: apiKey.createdAt,
  lastUsedAt: apiKey.lastUsedAt ?? null,
  expiresAt: apiKey.expiresAt ?? null,
});

@Resolver()
export class ApiKeyResolver {
  @Access('account:write')
  @Mutation(() => CreatedApiKey, { description: 'Makes an API key.' })
  async createApiKey(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ): Promise<CreatedApiKey> {
    const { apiKey, key } = await createApiKey(ctx, input);
    return { ...toApiKey(apiKey), key };
  }

  @Access('account:write')
  @Mutation(() => CreatedApiKey, { description: 'Makes a new key with the name and scopes of one that ends.' })
  async rotateApiKey(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RotateApiKeyInput, { nullable: true }) input?: RotateApiKeyInput,
  ): Promise<CreatedApiKey> {
    const { apiKey, key } = await rotateApiKey(ctx, id, input);
    return { ...toApiKey(apiKey), key };
  }

  @Access('account:read')
  @Query(() => ApiKeyList, { description: 'The caller’s API keys, newest first.' })
  async apiKeys(@Ctx() ctx: GraphqlContext): Promise<ApiKeyList> {
    return { data: (await listApiKeys(ctx)).map(toApiKey) };
  }

  @Access('account:write')
  @Mutation(() => RevokedApiKey, { description: 'Ends an API key at once.' })
  async revokeApiKey(@Ctx() ctx: GraphqlContext, @Arg('id', () => ID) id: string): Promise<RevokedApiKey> {
    return { message: 'The API key is revoked.', ...(await revokeApiKey(ctx, id)) };
  }
}
