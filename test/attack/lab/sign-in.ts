import type { Answer, Client } from '../../support/client.ts';
import { mailWith, outboxOf, tokenIn } from '../../support/outbox.ts';

export const login = (service: Client, email: string, password: string): Promise<Answer> =>
  service.call('POST', '/v1/auth/login', { body: { email, password } });

/** Requests a mail and returns its token. */
export async function askForReset(service: Client, email: string): Promise<string> {
  const before = await outboxOf(service, email);
  await service.call('POST', '/v1/auth/forgot-password', { body: { email } });
  return tokenIn(await mailWith(service, email, 'Set a new password', before));
}
