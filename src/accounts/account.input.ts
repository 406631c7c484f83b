import { z } from 'zod';
import { httpUrl } from '../core/input.ts';
import { emailAddress } from '../core/text/email.ts';
import { characters, name, text } from '../core/text/text-input.ts';

const email = emailAddress();

const username = z
  .string()
  .transform((value) => value.normalize('NFKC').trim())
  .refine((value) => /^[A-Za-z0-9._-]{3,64}$/.test(value), {
    error: 'must have 3 to 64 of the characters A-Z, a-z, 0-9, ".", "_" and "-"',
    params: { code: 'invalid_format' },
  });

const newPassword = characters({ min: 8, max: 128 });

export const registerInput = z
  .object({ email, password: newPassword, username: username.nullish() })
  .superRefine((input, ctx) => {
    const problem = passwordProblem(input.password, input.email, input.username ?? undefined);
    if (problem) ctx.addIssue({ code: 'custom', path: ['password'], message: problem, params: { code: 'too_weak' } });
  });

export const loginInput = z.object({ email: characters({ max: 1_000 }), password: characters({ max: 1_000 }) });

/** Long enough for any token. An unknown token is rejected like a used one. */
const token = characters({ min: 1, max: 200 });

export const tokenInput = z.object({ token });

export const forgotPasswordInput = z.object({ email });

export const resetPasswordInput = z.object({ token, newPassword });

export const changePasswordInput = z.object({ currentPassword: characters({ max: 1_000 }), newPassword });

export const changeEmailInput = z.object({ newEmail: email, currentPassword: characters({ max: 1_000 }) });

export const refreshInput = z.object({ refreshToken: characters({ min: 1, max: 200 }) });

/** Omitted fields do not change; `null` clears a nullable one. */
export const profileInput = z.object({
  displayName: name({ min: 0, max: 80 }).nullish(),
  bio: text({ max: 500 }).nullish(),
  avatarUrl: httpUrl().nullish(),
  username: username.optional(),
});

/** Returns why a password must not be used with this e-mail address and username; `undefined` when it is acceptable. */
export function passwordProblem(password: string, emailAddress: string, name: string | undefined): string | undefined {
  const lower = password.toLowerCase();
  if (lower === emailAddress.toLowerCase()) return 'must not be the e-mail address';
  return name !== undefined && lower === name.toLowerCase() ? 'must not be the username' : undefined;
}
