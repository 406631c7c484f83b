import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { getProfile, login, register, updateProfile } from '../src/accounts/accounts.ts';
import { refresh } from '../src/accounts/refresh-tokens.ts';
import { logout } from '../src/accounts/sessions.ts';
import type { User } from '../src/accounts/user.entity.ts';
import type { Plan } from '../src/core/actor.ts';
import { loginInput, profileInput, refreshInput, registerInput } from '../src/accounts/account.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';
import { PlanEnum } from './enums.ts';

@ObjectType('User', { description: 'An account.' })
export class UserType {
  @Field(() => ID) id!: string;
  @Field(() => String) email!: string;
  @Field(() => String) username!: string;
  @Field(() => String, { nullable: true, description: 'null after registration' }) displayName!: string | null;
  @Field(() => String, { nullable: true }) avatarUrl!: string | null;
  @Field(() => String, { nullable: true }) bio!: string | null;
  @Field(() => Boolean) emailVerified!: boolean;
  @Field(() => PlanEnum) plan!: Plan;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType({ description: 'A new account and an access token for it.' })
class Registration {
  @Field(() => UserType) user!: UserType;
  @Field(() => String, { description: 'Valid for an hour.' }) accessToken!: string;
}

@ObjectType('TokenPair', { description: 'A new pair of tokens.' })
class TokenPairType {
  @Field(() => String) accessToken!: string;
  @Field(() => String, { description: 'Valid for 30 days, for one use.' }) refreshToken!: string;
  @Field(() => Int, { description: 'Lifetime of the access token in seconds.' }) expiresIn!: number;
}

@ObjectType({ description: 'A new session.' })
export class Login extends TokenPairType {
  @Field(() => UserType) user!: UserType;
}

@ObjectType({ description: 'What was done, in words.' })
export class Acknowledgement {
  @Field(() => String) message!: string;
}

@InputType()
@Rules(registerInput)
class RegisterInput {
  @Field(() => String, { description: 'At most 254 characters, compared lower-cased.' }) email!: string;
  @Field(() => String, { description: '8 to 128 characters, not the e-mail or username.' }) password!: string;
  @Field(() => String, {
    nullable: true,
    description: '3 to 64 of A-Z a-z 0-9 . _ -; made from the e-mail when omitted.',
  })
  username?: string | null;
}

@InputType()
@Rules(loginInput)
export class LoginInput {
  @Field(() => String) email!: string;
  @Field(() => String) password!: string;
}

@InputType()
@Rules(refreshInput)
class RefreshInput {
  @Field(() => String) refreshToken!: string;
}

@InputType({ description: 'Only the fields present change; null clears one that may be null.' })
@Rules(profileInput)
class UpdateProfileInput {
  @Field(() => String, { nullable: true, description: 'At most 80 characters.' }) displayName?: string | null;
  @Field(() => String, { nullable: true, description: 'At most 500 characters.' }) bio?: string | null;
  @Field(() => String, { nullable: true, description: 'An http(s) URL of at most 2,048 characters.' }) avatarUrl?:
    | string
    | null;
  @Field(() => String, { nullable: true }) username?: string | null;
}

export const toUser = (user: User): UserType => ({
  id: user.id,
  email: user.email,
  username: user.username,
  displayName: user.displayName ?? null,
  avatarUrl: user.avatarUrl ?? null,
  bio: user.bio ?? null,
  emailVerified: user.emailVerified,
  plan: user.plan,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

@Resolver()
export class AccountResolver {
  @Access('public')
  @Mutation(() => Registration, { description: 'Makes an account.' })
  async register(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => RegisterInput) input: RegisterInput,
  ): Promise<Registration> {
    const { user, accessToken } = await register(ctx, input, ctx);
    return { user: toUser(user), accessToken };
  }

  @Access('public')
  @Mutation(() => Login, { description: 'Starts a session.' })
  async login(@Ctx() ctx: GraphqlContext, @Arg('input', () => LoginInput) input: LoginInput): Promise<Login> {
    const { user, ...tokens } = await login(ctx, input, ctx);
    return { ...tokens, user: toUser(user) };
  }

  @Access('public')
  @Mutation(() => TokenPairType, { description: 'Spends a refresh token for a new pair.' })
  refresh(@Ctx() ctx: GraphqlContext, @Arg('input', () => RefreshInput) input: RefreshInput): Promise<TokenPairType> {
    return refresh(ctx, input);
  }

  @Access('account:write')
  @Mutation(() => Acknowledgement, { description: 'Ends the session of the access token.' })
  async logout(@Ctx() ctx: GraphqlContext): Promise<Acknowledgement> {
    await logout(ctx);
    return { message: 'You are logged out.' };
  }

  @Access('account:read')
  @Query(() => UserType, { description: 'The caller’s account.' })
  async me(@Ctx() ctx: GraphqlContext): Promise<UserType> {
    return toUser(await getProfile(ctx));
  }

  @Access('account:write')
  @Mutation(() => UserType, { description: 'Changes the caller’s profile.' })
  async updateMe(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => UpdateProfileInput) input: UpdateProfileInput,
  ): Promise<UserType> {
    return toUser(await updateProfile(ctx, input));
  }
}
