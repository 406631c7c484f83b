import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Returns the value of `X-Agent-Signature`: the HMAC-SHA256 of the raw body in lowercase hex. The key is the whole
 * secret string.
 */
const agentSignature = (secret: KeyObject, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

const prefix = 'whsec_';
/** With or without the padding: libraries decode both. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Returns the key of the Standard Webhooks signature: the bytes encoded in base64 after `whsec_`, as its libraries
 * decode a secret. Any other secret is used as UTF-8 bytes.
 * @see https://www.standardwebhooks.com
 */
function standardKey(secret: string): KeyObject {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const isEncoded = encoded !== '' && base64.test(encoded);
  return createSecretKey(isEncoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8'));
}

/** Returns one entry of the `webhook-signature` header. */
const standardSignature = (key: KeyObject, id: string, timestamp: number, body: Buffer): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

/**
 * The keys that sign an endpoint's deliveries. `standardKeys` starts with the newest secret, followed by earlier ones
 * that are still valid.
 */
export interface Signer {
  key: KeyObject;
  standardKeys: readonly KeyObject[];
}

export const createSigner = (newest: string, previous: readonly string[]): Signer => ({
  key: createSecretKey(Buffer.from(newest, 'utf8')),
  standardKeys: [newest, ...previous].map(standardKey),
});

interface SignedDelivery {
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** Time of this attempt in Unix seconds. */
  timestamp: number;
  body: Buffer;
}

/** Returns the headers of a delivery, including the signatures. */
export function signedHeaders(signer: Signer, delivery: SignedDelivery): Record<string, string> {
  const { eventId, timestamp, body } = delivery;
  const standard = signer.standardKeys.map((key) => standardSignature(key, eventId, timestamp, body));
  return {
    ...unsignedHeaders(delivery),
    'x-agent-signature': agentSignature(signer.key, body),
    'webhook-signature': standard.join(' '),
  };
}

/** Returns the headers that do not depend on a secret. */
export const unsignedHeaders = (delivery: Omit<SignedDelivery, 'body'>): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'agent-chat-service-webhooks/1',
  'x-agent-event': delivery.eventType,
  'x-agent-delivery': delivery.deliveryId,
  'x-agent-timestamp': String(delivery.timestamp),
  'webhook-id': delivery.eventId,
  'webhook-timestamp': String(delivery.timestamp),
});
