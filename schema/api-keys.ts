import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { ApiKey } from '../src/api-keys/api-key.entity.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../src/api-keys/api-keys.ts';
import { catalog } from '../src/app/features.ts';
import type { Scope } from '../src/core/actor.ts';
import { createApiKeyInput, rotateApiKeyInput } from '../src/api-keys/api-key.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

const ScopeEnum = enumType<Scope>(
  'Scope',
  'Permission of an API key. A write scope includes the read scope.',
  Object.fromEntries(catalog.scopes.map((scope) => [scope, describeScope(scope)])) as Record<Scope, string>,
);

function describeScope(scope: Scope): string {
  const [area = '', right = ''] = scope.split(':');
  return `${{ read: 'Read', write: 'Read and change' }[right] ?? 'Use'} ${area === 'account' ? 'the account' : area}.`;
}

@ObjectType('ApiKey', { description: 'An API key: a long-lived credential with limited scopes.' })
class ApiKeyType {
  @Field(() => ID, { description: 'API key ID (`key_…`).' }) id!: string;
  @Field(() => String, { description: 'Name chosen by the owner.' }) name!: string;
  @Field(() => String, { description: 'First and last characters of the key, to identify it.' }) keyHint!: string;
  @Field(() => [ScopeEnum], { description: 'Operations that the key may call.' }) scopes!: Scope[];
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'Time of the last use, at most a minute stale; null before the first use.',
  })
  lastUsedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Expiry time; null if the key does not expire.' })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'A new API key with its secret, which is returned only once.' })
class CreatedApiKey {
  @Field(() => ID, { description: 'API key ID (`key_…`).' }) id!: string;
  @Field(() => String, { description: 'Name chosen by the owner.' }) name!: string;
  @Field(() => String, { description: 'The full key. It cannot be retrieved later.' }) key!: string;
  @Field(() => [ScopeEnum], { description: 'Operations that the key may call.' }) scopes!: Scope[];
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time of the last use; null for a new key.' })
  lastUsedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Expiry time; null if the key does not expire.' })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'The caller’s valid API keys.' })
class ApiKeyList {
  @Field(() => [ApiKeyType], { description: 'API keys, newest first.' }) data!: ApiKeyType[];
}

@ObjectType({ description: 'Confirmation that an API key was revoked.' })
class RevokedApiKey {
  @Field(() => String, { description: 'Text to show to the user.' }) message!: string;
  @Field(() => ID, { description: 'API key ID (`key_…`).' }) id!: string;
  @Field(() => Date, { description: 'Time of the revocation.' }) revokedAt!: Date;
}

@InputType({ description: 'The name and scopes of a new API key.' })
@Rules(createApiKeyInput(catalog.scopes))
class CreateApiKeyInput {
  @Field(() => String, { description: 'Name to identify the key, 1 to 80 characters.' }) name!: string;
  @Field(() => [ScopeEnum], {
    description: 'One or more scopes. An API key cannot grant scopes that it does not have.',
  })
  scopes!: Scope[];
  @Field(() => Date, { nullable: true, description: 'Expiry time. If omitted, the key does not expire.' })
  expiresAt?: Date | null;
}

@InputType({ description: 'How to retire the old key.' })
@Rules(rotateApiKeyInput)
class RotateApiKeyInput {
  @Field(() => Int, {
    nullable: true,
    description: 'How long the old key stays valid, 0 to 604,800 seconds. Defaults to 0.',
  })
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
  @Mutation(() => CreatedApiKey, { description: 'Creates an API key.' })
  async createApiKey(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ): Promise<CreatedApiKey> {
    const { apiKey, key } = await createApiKey(ctx, input);
    return { ...toApiKey(apiKey), key };
  }

  @Access('account:write')
  @Mutation(() => CreatedApiKey, {
    description: 'Creates a key with the same name and scopes and retires the old one.',
  })
  async rotateApiKey(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'ID of the key to replace.' }) id: string,
    @Arg('input', () => RotateApiKeyInput, { nullable: true }) input?: RotateApiKeyInput,
  ): Promise<CreatedApiKey> {
    const { apiKey, key } = await rotateApiKey(ctx, id, input);
    return { ...toApiKey(apiKey), key };
  }

  @Access('account:read')
  @Query(() => ApiKeyList, { description: 'Lists the caller’s API keys, newest first.' })
  async apiKeys(@Ctx() ctx: GraphqlContext): Promise<ApiKeyList> {
    return { data: (await listApiKeys(ctx)).map(toApiKey) };
  }

  @Access('account:write')
  @Mutation(() => RevokedApiKey, { description: 'Revokes an API key with immediate effect.' })
  async revokeApiKey(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'API key ID.' }) id: string,
  ): Promise<RevokedApiKey> {
    return { message: 'The API key is revoked.', ...(await revokeApiKey(ctx, id)) };
  }
}
