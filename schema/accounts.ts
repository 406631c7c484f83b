import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { getProfile, login, register, updateProfile } from '../src/accounts/accounts.ts';
import { refresh } from '../src/accounts/credentials/refresh-tokens.ts';
import { logout } from '../src/accounts/credentials/sessions.ts';
import type { Preferences } from '../src/accounts/preferences.input.ts';
import type { User } from '../src/accounts/user.entity.ts';
import type { Plan } from '../src/core/actor.ts';
import { loginInput, profileInput, refreshInput, registerInput } from '../src/accounts/account.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

export const PlanEnum = enumType<Plan>('Plan', 'Plan of an account.', {
  free: 'Free of charge: 50 messages per day.',
  plus: '500 messages per day.',
  pro: '2,000 messages per day.',
  creator: 'Unlimited messages.',
});

@ObjectType('User', { description: 'An account.' })
export class UserType {
  @Field(() => ID, { description: 'User ID (`usr_…`).' }) id!: string;
  @Field(() => String, { description: 'E-mail address.' }) email!: string;
  @Field(() => String, { description: 'Unique name, 3 to 64 characters of `A-Z a-z 0-9 . _ -`.' }) username!: string;
  @Field(() => String, { nullable: true, description: 'Display name; null until the user sets one.' }) displayName!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
  @Field(() => String, { nullable: true, description: 'The user’s bio.' }) bio!: string | null;
  @Field(() => Boolean, { description: 'Whether the e-mail address is verified.' }) emailVerified!: boolean;
  @Field(() => PlanEnum, { description: 'Current plan.' }) plan!: Plan;
  /** Resolved by `PreferencesResolver`. */
  preferences!: Preferences;
  @Field(() => Date, { description: 'Registration time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A new account and its first access token.' })
class Registration {
  @Field(() => UserType, { description: 'The new account.' }) user!: UserType;
  @Field(() => String, { description: 'Access token for `Authorization: Bearer`; valid for one hour.' })
  accessToken!: string;
}

@ObjectType('TokenPair', { description: 'A new access token and refresh token.' })
class TokenPairType {
  @Field(() => String, { description: 'Access token for `Authorization: Bearer`; valid for one hour.' })
  accessToken!: string;
  @Field(() => String, { description: 'Refresh token, valid for 30 days and a single use.' }) refreshToken!: string;
  @Field(() => Int, { description: 'Lifetime of the access token in seconds.' }) expiresIn!: number;
}

@ObjectType({ description: 'A new session.' })
export class Login extends TokenPairType {
  @Field(() => UserType, { description: 'Account of the session.' }) user!: UserType;
}

@ObjectType({ description: 'A confirmation to show to the user.' })
export class Acknowledgement {
  @Field(() => String, { description: 'Text to show to the user.' }) message!: string;
}

@InputType({ description: 'The credentials of a new account.' })
@Rules(registerInput)
class RegisterInput {
  @Field(() => String, { description: 'E-mail address, at most 254 characters. Case-insensitive.' })
  email!: string;
  @Field(() => String, { description: '8 to 128 characters; must differ from the e-mail address and the username.' })
  password!: string;
  @Field(() => String, {
    nullable: true,
    description: '3 to 64 characters of `A-Z a-z 0-9 . _ -`; derived from the e-mail address when omitted.',
  })
  username?: string | null;
}

@InputType({ description: 'The credentials of an account.' })
@Rules(loginInput)
export class LoginInput {
  @Field(() => String, { description: 'E-mail address of the account.' }) email!: string;
  @Field(() => String, { description: 'Password of the account.' }) password!: string;
}

@InputType({ description: 'The refresh token to exchange.' })
@Rules(refreshInput)
class RefreshInput {
  @Field(() => String, { description: 'The current refresh token (`rt_…`).' }) refreshToken!: string;
}

@InputType({ description: 'Changes to the profile. Omitted fields keep their value; null clears a nullable field.' })
@Rules(profileInput)
class UpdateProfileInput {
  @Field(() => String, { nullable: true, description: 'At most 80 characters.' }) displayName?: string | null;
  @Field(() => String, { nullable: true, description: 'At most 500 characters.' }) bio?: string | null;
  @Field(() => String, { nullable: true, description: 'HTTP or HTTPS URL of at most 2,048 characters.' }) avatarUrl?:
    | string
    | null;
  @Field(() => String, { nullable: true, description: '3 to 64 characters of `A-Z a-z 0-9 . _ -`, unique.' })
  username?: string | null;
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
  preferences: user.preferences,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

@Resolver()
export class AccountResolver {
  @Access('public')
  @OncePerRequest()
  @Mutation(() => Registration, { description: 'Creates an account.' })
  async register(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => RegisterInput) input: RegisterInput,
  ): Promise<Registration> {
    const { user, accessToken } = await register(ctx, input, ctx);
    return { user: toUser(user), accessToken };
  }

  @Access('public')
  @OncePerRequest()
  @Mutation(() => Login, { description: 'Starts a session.' })
  async login(@Ctx() ctx: GraphqlContext, @Arg('input', () => LoginInput) input: LoginInput): Promise<Login> {
    const { user, ...tokens } = await login(ctx, input, ctx);
    return { ...tokens, user: toUser(user) };
  }

  @Access('public')
  @Mutation(() => TokenPairType, { description: 'Exchanges a refresh token for a new pair of tokens.' })
  refresh(@Ctx() ctx: GraphqlContext, @Arg('input', () => RefreshInput) input: RefreshInput): Promise<TokenPairType> {
    return refresh(ctx, input);
  }

  @Access('account:write')
  @Mutation(() => Acknowledgement, { description: 'Revokes the session of the access token.' })
  async logout(@Ctx() ctx: GraphqlContext): Promise<Acknowledgement> {
    await logout(ctx);
    return { message: 'You are logged out.' };
  }

  @Access('account:read')
  @Query(() => UserType, { description: 'Returns the caller’s account.' })
  async me(@Ctx() ctx: GraphqlContext): Promise<UserType> {
    return toUser(await getProfile(ctx));
  }

  @Access('account:write')
  @Mutation(() => UserType, { description: 'Updates the caller’s profile.' })
  async updateMe(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => UpdateProfileInput) input: UpdateProfileInput,
  ): Promise<UserType> {
    return toUser(await updateProfile(ctx, input));
  }
}
