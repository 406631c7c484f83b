import { createHmac, timingSafeEqual } from 'node:crypto';

const maxAgeSeconds = 300;

interface Signed {
  secret: string;
  timestamp: string;
  signature: string;
  body: string;
  now: Date;
}

/**
 * Returns whether Slack signed the request: `v0=` and the hex HMAC-SHA256 of `v0:timestamp:body`, not older than five
 * minutes.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isSignedBySlack({ secret, timestamp, signature, body, now }: Signed): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > maxAgeSeconds) return false;
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
