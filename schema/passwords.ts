import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { changePassword } from '../src/accounts/change-password.ts';
import { resendVerification, verifyEmail } from '../src/accounts/email-verification.ts';
import { forgotPassword, resetPassword } from '../src/accounts/forgotten-password.ts';
import {
  changePasswordInput,
  forgotPasswordInput,
  resetPasswordInput,
  tokenInput,
} from '../src/accounts/account.input.ts';
import { Acknowledgement } from './accounts.ts';
import type { GraphqlContext } from './context.ts';
import { Access, Rules } from './decorators.ts';

@ObjectType({ description: 'The address is verified.' })
class EmailVerification extends Acknowledgement {
  @Field(() => Boolean) emailVerified!: boolean;
}

@InputType()
@Rules(tokenInput)
class VerifyEmailInput {
  @Field(() => String, { description: 'From the verification mail, starts with vt_.' }) token!: string;
}

@InputType()
@Rules(forgotPasswordInput)
class ForgotPasswordInput {
  @Field(() => String) email!: string;
}

@InputType()
@Rules(resetPasswordInput)
class ResetPasswordInput {
  @Field(() => String, { description: 'From the reset mail, starts with rst_.' }) token!: string;
  @Field(() => String, { description: '8 to 128 characters, not the e-mail or username.' }) newPassword!: string;
}

@InputType()
@Rules(changePasswordInput)
class ChangePasswordInput {
  @Field(() => String) currentPassword!: string;
  @Field(() => String, { description: '8 to 128 characters, not the e-mail or username.' }) newPassword!: string;
}

@Resolver()
export class PasswordResolver {
  @Access('account:write')
  @Mutation(() => EmailVerification, { description: 'Spends the token of the verification mail.' })
  async verifyEmail(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => VerifyEmailInput) input: VerifyEmailInput,
  ): Promise<EmailVerification> {
    await verifyEmail(ctx, input);
    return { message: 'Your e-mail address is verified.', emailVerified: true };
  }

  @Access('account:write')
  @Mutation(() => Acknowledgement, {
    description: 'Sends the verification mail again, unless the address is verified.',
  })
  async resendVerification(@Ctx() ctx: GraphqlContext): Promise<Acknowledgement> {
    await resendVerification(ctx);
    return { message: 'A verification e-mail is on its way, unless your address is verified already.' };
  }

  @Access('public')
  @Mutation(() => Acknowledgement, { description: 'Sends a reset mail, if the address has an account.' })
  async forgotPassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ForgotPasswordInput) input: ForgotPasswordInput,
  ): Promise<Acknowledgement> {
    await forgotPassword(ctx, input);
    return { message: 'If an account has this e-mail address, a mail with a reset link is on its way.' };
  }

  @Access('public')
  @Mutation(() => Acknowledgement, { description: 'Sets a new password and ends every session.' })
  async resetPassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ResetPasswordInput) input: ResetPasswordInput,
  ): Promise<Acknowledgement> {
    await resetPassword(ctx, input);
    return { message: 'Your password is changed. Log in with the new one.' };
  }

  @Access('account:write')
  @Mutation(() => Acknowledgement, { description: 'Changes the password and ends the other sessions.' })
  async changePassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
  ): Promise<Acknowledgement> {
    await changePassword(ctx, input);
    return { message: 'Your password is changed. Your other sessions are ended.' };
  }
}
