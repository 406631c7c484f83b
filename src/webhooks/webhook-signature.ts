import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A secret of a webhook in the clear, as its owner sees it. */
export interface SigningSecret {
  secret: string;
  /** Ours: `whsec_` and base64 of the key's bytes. Else the owner's own, whose key is its UTF-8 bytes. */
  isGenerated: boolean;
}

/** `X-Agent-Signature`: lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret string. */
const agentSignature = (secret: KeyObject, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** The key of the Standard Webhooks signature. @see https://www.standardwebhooks.com */
const standardKey = ({ secret, isGenerated }: SigningSecret): KeyObject =>
  createSecretKey(isGenerated ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8'));

/** One entry of the `webhook-signature` header. */
const standardSignature = (key: KeyObject, id: string, timestamp: number, body: Buffer): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

/** What signs an endpoint's deliveries: the newest secret, then those before that still count. */
export interface Signer {
  key: KeyObject;
  standardKeys: readonly KeyObject[];
}

export const createSigner = (newest: SigningSecret, previous: readonly SigningSecret[]): Signer => ({
  key: createSecretKey(Buffer.from(newest.secret, 'utf8')),
  standardKeys: [newest, ...previous].map(standardKey),
});

interface SignedDelivery {
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  body: Buffer;
}

/** Every header of a delivery that a receiver can rely on. */
export function signedHeaders(signer: Signer, delivery: SignedDelivery): Record<string, string> {
  const { deliveryId, eventId, eventType, timestamp, body } = delivery;
  const standard = signer.standardKeys.map((key) => standardSignature(key, eventId, timestamp, body));
  return {
    'content-type': 'application/json',
    'user-agent': 'agent-chat-service-webhooks/1',
    'x-agent-signature': agentSignature(signer.key, body),
    'x-agent-event': eventType,
    'x-agent-delivery': deliveryId,
    'x-agent-timestamp': String(timestamp),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}
