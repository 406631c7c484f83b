import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './vocabulary.ts';

export type { WebhookEvent } from './vocabulary.ts';

export interface WebhookRequest {
  /** The raw bytes as received, before parsing. */
  body: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret, or several during a rotation. */
  secret: string | readonly string[];
  /**
   * `standard`, the default, checks the Standard Webhooks headers, which also sign the time. `agent` checks
   * `X-Agent-Signature`, which signs the body alone and so does not prevent replays of a captured request.
   */
  scheme?: 'standard' | 'agent';
  /** Greatest difference between the request's time and this clock; 300 by default. */
  toleranceSeconds?: number;
}

/**
 * Verifies the signature of a request in constant time and returns its event. `type` decides what `data` is. Deliveries can
 * be repeated: drop events whose `id` you have processed.
 * @throws WebhookVerificationError
 * @see https://www.standardwebhooks.com
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { secret, scheme = 'standard', toleranceSeconds = 300 } = request;
  const header = (name: string): string => headerOf(request.headers, name);
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signed = scheme === 'agent' ? agentSignature(header, body) : standardSignature(header, body, toleranceSeconds);
  if (!(await isSigned(signed, secrets.map(scheme === 'agent' ? utf8Key : standardKey))))
    throw new WebhookVerificationError('The signature does not match.');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Signed {
  message: Bytes;
  signatures: Bytes[];
}

function agentSignature(header: (name: string) => string, body: Uint8Array): Signed {
  const signature = header('x-agent-signature');
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new WebhookVerificationError('The request has no signature.');
  return { message: new Uint8Array(body), signatures: [fromHex(signature)] };
}

function standardSignature(header: (name: string) => string, body: Uint8Array, toleranceSeconds: number): Signed {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature')
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .flatMap((entry) => fromBase64(entry.slice('v1,'.length)) ?? []);
  if (id === '' || !/^\d{1,15}$/.test(timestamp) || signatures.length === 0)
    throw new WebhookVerificationError('The request has no signature.');
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('The request is too old or its time is in the future.');
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return { message, signatures };
}

async function isSigned({ message, signatures }: Signed, keys: readonly Bytes[]): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    if (bytes.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify(algorithm, key, signature, message)) return true;
  }
  return false;
}

const utf8Key = (secret: string): Bytes => new TextEncoder().encode(secret);

/** With or without the padding. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What follows `whsec_` is base64 of the key; a secret of another form is keyed by its UTF-8 bytes. */
function standardKey(secret: string): Bytes {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  return encoded !== '' && base64.test(encoded) ? (fromBase64(encoded) ?? utf8Key(secret)) : utf8Key(secret);
}

const fromHex = (hex: string): Bytes =>
  Uint8Array.from({ length: hex.length / 2 }, (_byte, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.join(' ') ?? '');
}
