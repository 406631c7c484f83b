import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect } from 'vitest';
import { namedKey } from '../../src/core/crypto.ts';
import { type Client, expectStatus } from '../support/client.ts';
import { mailWith, tokenIn } from '../support/outbox.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const [a, b] = await Promise.all([lab.open.signUp(), lab.open.signUp()]);
const sessionId = (await lab.open.db.query(`select id from sessions where user_id = $1`, [b.id])).rows[0].id;
const keyId = namedKey(lab.secrets.auth).id;

const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

const claims = (over: object = {}) => ({
  sid: sessionId,
  sub: b.id,
  iss: 'agent-chat-service',
  aud: 'access',
  iat: seconds(),
  exp: seconds(600),
  ...over,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const hmac = (algorithm: string, secret: string | Buffer, text: string): string =>
  createHmac(algorithm, secret).update(text).digest('base64url');

const forge = (header: object, payload: object, secret: string | Buffer = '', algorithm = 'sha256'): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${hmac(algorithm, secret, text)}`;
};

/** Changes the last letter to the next one, which differs only in bits beyond the 32 bytes. */
const otherLastLetter = (signature: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(signature.at(-1) ?? '') + 1] ?? '';
};

/** Tries a token over REST on both instances, over GraphQL and as a subscription. */
async function letIn(token: string): Promise<string | null> {
  const services: Client[] = [lab.open, lab.open.other];
  for (const service of services) {
    if ((await service.call('GET', '/v1/auth/me', { as: token })).status !== 401) return 'admitted over REST';
    const { status, body } = await service.graphql('{ me { id } }', { as: token });
    if (status !== 401 && !JSON.stringify(body).includes('UNAUTHENTICATED'))
      return `over GraphQL: ${status} ${JSON.stringify(body)}`;
    if (JSON.stringify(body).includes('usr_')) return 'admitted over GraphQL';
  }
  return null;
}

attack('A09', 'tokens with another algorithm, key, key id or signature', async (score) => {
  const [head = '', payload = '', signature = ''] = b.token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const oct = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signed = (alg: string, key: typeof privateKey, extra: object) =>
    new SignJWT(claims()).setProtectedHeader({ ...header, alg, ...extra }).sign(key);
  const kids = [
    '../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    "x' union select 'key' --",
    '',
    '__proto__',
    'constructor',
    '0',
    null,
    [keyId],
    { $ne: 1 },
    'http://evil.example/key',
    `${keyId}\0`,
    keyId.toUpperCase(),
  ];
  const weakSecrets = ['', 'secret', 'password', 'changeme', 'agent-chat-service', keyId, 'null', 'undefined', pem];
  const sixth = payload.slice(0, -4);
  const tokens = [
    new UnsecuredJWT(claims()).encode(),
    ...['none', 'None', 'NONE', 'nOnE', '', 'HS1', 'dir', 'A128KW', 'HS256 '].flatMap((alg) => [
      `${encode({ ...header, alg })}.${encode(claims())}.`,
      forge({ ...header, alg }, claims()),
    ]),
    ...weakSecrets.map((secret) => forge(header, claims(), secret)),
    ...weakSecrets.map((secret) => forge({ ...header, alg: 'HS512' }, claims(), secret, 'sha512')),
    ...kids.map((kid) => forge({ ...header, kid }, claims(), '')),
    ...kids.map((kid) => forge({ ...header, kid }, claims(), Buffer.alloc(32))),
    forge({ ...header, jwk: oct }, claims(), 'mine'),
    forge({ ...header, jku: 'http://127.0.0.1:1/jwks.json' }, claims(), 'mine'),
    forge({ ...header, x5u: 'http://127.0.0.1:1/cert.pem', x5c: [pem] }, claims(), pem),
    forge({ ...header, crit: ['exp'] }, claims(), 'mine'),
    forge({ ...header, b64: false, crit: ['b64'] }, claims(), 'mine'),
    forge({ ...header, alg: 'HS256', typ: 'JWT' }, claims(), pem),
    await signed('RS256', privateKey, { jwk }),
    await signed('PS256', privateKey, { kid: keyId }),
    await signed('ES256', ec, { kid: keyId }),
    `${head}.${payload}.`,
    `${head}.${payload}`,
    `${head}..${signature}`,
    `.${payload}.${signature}`,
    `${head}.${encode(claims({ sub: a.id }))}.${signature}`,
    `${head}.${sixth}.${signature}`,
    `${head}.${payload}.${signature.slice(0, -2)}`,
    `${head}.${payload}.${signature}.${signature}`,
    `${head}.${payload}.${'A'.repeat(43)}`,
    `${head}.${payload}.${signature.replaceAll('_', '/').replaceAll('-', '+')}=`,
    `${head}.${payload}.${signature}=`,
    `${head}.${payload}.${signature.slice(0, -1)}${otherLastLetter(signature)}`,
    `${head}.${payload}. ${signature}`,
    ...Array.from({ length: 32 }, (_, i) => {
      const bytes = Buffer.from(signature, 'base64url');
      bytes[i]! ^= 1 << (i % 8);
      return `${head}.${payload}.${bytes.toString('base64url')}`;
    }),
    encode({ ...claims() }),
    'null',
    'undefined',
    '{}',
    '..',
    '...',
  ];
  await score.each(
    tokens.filter((token) => token !== '' && token !== b.token),
    letIn,
  );
  expectStatus(await lab.open.call('GET', '/v1/auth/me', { as: b.token }), 200);
});

attack(
  'A10',
  'tokens of the real key that are expired, not yet valid or for another use, and other kinds of tokens',
  async (score) => {
    const { secret, id: kid } = namedKey(lab.secrets.auth);
    const real = (over: object, header: object = {}, algorithm = 'sha256') =>
      forge({ alg: 'HS256', kid, typ: 'at+jwt', ...header }, { ...claims(), ...over }, secret, algorithm);
    const login = expectStatus(
      await lab.open.call('POST', '/v1/auth/login', { body: { email: b.email, password: b.password } }),
      200,
    );
    const verify = tokenIn(await mailWith(lab.open, b.email, 'Confirm your e-mail address'));
    await lab.open.call('POST', '/v1/auth/forgot-password', { body: { email: b.email } });
    const reset = tokenIn(await mailWith(lab.open, b.email, 'Set a new password'));
    const encryption = namedKey(lab.secrets.encryption);
    const tokens = [
      real({ exp: seconds(-1) }),
      real({ exp: seconds(-3_600) }),
      real({ exp: undefined }),
      real({ exp: 'never' }),
      real({ exp: -1 }),
      real({ nbf: seconds(3_600) }),
      real({ aud: 'refresh' }),
      real({ aud: undefined }),
      real({ aud: ['verify', 'reset'] }),
      real({ iss: 'somebody-else' }),
      real({ iss: undefined }),
      real({ sub: a.id }),
      real({ sub: undefined }),
      real({ sub: { $ne: null } }),
      real({ sid: undefined }),
      real({ sid: 'ses_00000000-0000-7000-8000-000000000000' }),
      real({ sid: "' or true --" }),
      real({ sid: [sessionId], sub: [a.id] }),
      real({}, { typ: 'JWT' }),
      real({}, { typ: undefined }),
      real({}, { typ: 'rt+jwt' }),
      real({}, { alg: 'HS512' }, 'sha512'),
      real({}, { alg: 'HS384' }, 'sha384'),
      real({}, { kid: undefined }),
      forge({ alg: 'HS256', kid: encryption.id, typ: 'at+jwt' }, claims(), encryption.secret),
      forge({ alg: 'HS256', kid, typ: 'at+jwt' }, claims(), lab.secrets.auth),
      login.body.refresh_token as string,
      verify,
      reset,
      lab.secrets.stripeWebhook,
      lab.secrets.slack,
      b.id,
      sessionId,
    ];
    await score.each(tokens, letIn);
    const good = await lab.open.call('GET', '/v1/auth/me', { as: real({}) });
    expect(good.body.id).toBe(b.id);
  },
);
