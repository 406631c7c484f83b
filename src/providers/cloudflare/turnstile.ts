import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { outgoingFetch } from '../../core/http/outgoing.ts';
import type { HumanCheck } from '../../embeds/visitors/challenge.ports.ts';

const liveUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const timeoutMs = 5_000;
const answer = z.object({ success: z.boolean() });

/**
 * Creates a check of Turnstile tokens. Uses `fetch`, because Turnstile has no SDK. A null `verifyUrl` means the live
 * service.
 */
export const createTurnstile = ({ verifyUrl }: { verifyUrl: string | null }): HumanCheck => ({
  async verify({ secret, token, address }) {
    try {
      const response = await outgoingFetch(verifyUrl ?? liveUrl, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: token, ...(address ? { remoteip: address } : {}) }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
      return answer.parse(await response.json()).success;
    } catch (cause) {
      throw new AppError('unavailable', { message: 'The check is unavailable right now. Try again.', cause });
    }
  },
});
