import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { changePassword } from '../src/accounts/credentials/change-password.ts';
import { changeEmail } from '../src/accounts/credentials/change-email.ts';
import { resendVerification, verifyEmail } from '../src/accounts/credentials/email-verification.ts';
import { forgotPassword, resetPassword } from '../src/accounts/credentials/forgotten-password.ts';
import {
  changeEmailInput,
  changePasswordInput,
  forgotPasswordInput,
  resetPasswordInput,
  tokenInput,
} from '../src/accounts/account.input.ts';
import { Acknowledgement } from './accounts.ts';
import type { GraphqlContext } from './context.ts';
import { Access, OncePerRequest, Rules } from './decorators.ts';

@ObjectType({ description: 'Confirmation that the e-mail address was verified.' })
class EmailVerification extends Acknowledgement {
  @Field(() => Boolean, { description: 'Always true.' }) emailVerified!: boolean;
}

@InputType({ description: 'The verification token.' })
@Rules(tokenInput)
class VerifyEmailInput {
  @Field(() => String, {
    description: 'Token from the verification e-mail (`vt_…`), or from the mail to a new address (`ect_…`).',
  })
  token!: string;
}

@InputType({ description: 'The account with the forgotten password.' })
@Rules(forgotPasswordInput)
class ForgotPasswordInput {
  @Field(() => String, { description: 'E-mail address of the account.' }) email!: string;
}

@InputType({ description: 'The reset token and the new password.' })
@Rules(resetPasswordInput)
class ResetPasswordInput {
  @Field(() => String, { description: 'Token from the reset e-mail (`rst_…`).' }) token!: string;
  @Field(() => String, { description: '8 to 128 characters; must differ from the e-mail address and the username.' })
  newPassword!: string;
}

@InputType({ description: 'The current and the new password.' })
@Rules(changePasswordInput)
class ChangePasswordInput {
  @Field(() => String, { description: 'Current password.' }) currentPassword!: string;
  @Field(() => String, { description: '8 to 128 characters; must differ from the e-mail address and the username.' })
  newPassword!: string;
}

@InputType({ description: 'The new e-mail address and the current password.' })
@Rules(changeEmailInput)
class ChangeEmailInput {
  @Field(() => String, { description: 'New e-mail address, at most 254 characters.' }) newEmail!: string;
  @Field(() => String, { description: 'Current password.' }) currentPassword!: string;
}

@Resolver()
export class PasswordResolver {
  @Access('account:write')
  @Mutation(() => EmailVerification, {
    description:
      'Verifies the e-mail address with the token from the verification e-mail. With the token from an address change, changes the address and revokes all other sessions.',
  })
  async verifyEmail(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => VerifyEmailInput) input: VerifyEmailInput,
  ): Promise<EmailVerification> {
    await verifyEmail(ctx, input);
    return { message: 'Your e-mail address is verified.', emailVerified: true };
  }

  @Access('account:write')
  @Mutation(() => Acknowledgement, {
    description: 'Resends the verification e-mail unless the address is already verified.',
  })
  async resendVerification(@Ctx() ctx: GraphqlContext): Promise<Acknowledgement> {
    await resendVerification(ctx);
    return { message: 'A verification e-mail is on its way, unless your address is verified already.' };
  }

  @Access('public')
  @OncePerRequest()
  @Mutation(() => Acknowledgement, { description: 'Sends a reset e-mail if the address has an account.' })
  async forgotPassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ForgotPasswordInput) input: ForgotPasswordInput,
  ): Promise<Acknowledgement> {
    await forgotPassword(ctx, input);
    return { message: 'If an account has this e-mail address, a mail with a reset link is on its way.' };
  }

  @Access('public')
  @OncePerRequest()
  @Mutation(() => Acknowledgement, { description: 'Sets a new password and revokes every session.' })
  async resetPassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ResetPasswordInput) input: ResetPasswordInput,
  ): Promise<Acknowledgement> {
    await resetPassword(ctx, input);
    return { message: 'Your password is changed. Log in with the new one.' };
  }

  @Access('account:write')
  @OncePerRequest()
  @Mutation(() => Acknowledgement, { description: 'Changes the password and revokes all other sessions.' })
  async changePassword(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
  ): Promise<Acknowledgement> {
    await changePassword(ctx, input);
    return { message: 'Your password is changed. Your other sessions are ended.' };
  }

  @Access('account:write')
  @OncePerRequest()
  @Mutation(() => Acknowledgement, {
    description: 'Mails a token to the new e-mail address. Pass it to `verifyEmail` to change the address.',
  })
  async changeEmail(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ChangeEmailInput) input: ChangeEmailInput,
  ): Promise<Acknowledgement> {
    await changeEmail(ctx, input);
    return { message: 'A mail is on its way to the new address. Confirm it there; until then nothing changes.' };
  }
}
