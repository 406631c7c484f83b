import { minSecretCharacters } from './environment.ts';
import { simulatorKeys } from '../simulator-keys.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings that replace the values that the embedded profile provides or generates. */
const required: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://user:password@host:5432/database, your own server instead of the embedded one',
  AUTH_SECRET: '32 characters or more from a random source, such as "openssl rand -base64 32"',
  ENCRYPTION_KEYS: '32 characters or more from a random source, such as "openssl rand -base64 32"',
  PUBLIC_URL: 'the https:// URL at which users reach the service',
  OPENAI_API_KEY: 'the key of the model provider, instead of the simulator',
  STRIPE_SECRET_KEY: 'the key of the Stripe account, instead of the simulator',
  SMTP_URL: 'the smtp:// or smtps:// URL of a mail server, instead of the local outbox',
  FILES_URL: 's3://bucket/prefix, or file:///folder on a backed-up volume that all instances share',
};

/**
 * Returns every reason why the production profile must not start with these variables. It allows nothing embedded,
 * generated or guessable.
 */
export function faultsInProduction(vars: Variables): string[] {
  const faults = Object.entries(required)
    .filter(([name]) => !vars[name])
    .map(([name, allowed]) => `${name}: is required in the production profile: ${allowed}`);
  if (vars['CHAT_PLATFORMS'] === 'simulated') faults.push('CHAT_PLATFORMS: must be live in the production profile');
  if (/^http:/i.test(vars['PUBLIC_URL'] ?? ''))
    faults.push('PUBLIC_URL: must start with https:// in the production profile; TLS may end at the proxy in front');
  for (const name of vendorKeys) {
    if (simulatorKeys.has(vars[name] ?? '') || isPlaceholder(vars[name] ?? ''))
      faults.push(
        `${name}: must be a key of your own account in the production profile, not a built-in value or a placeholder`,
      );
  }
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'MONGODB_URL', 'SMTP_URL']) {
    if (isWellKnown(passwordOf(vars[name])))
      faults.push(`${name}: its password is one that everybody knows; use one from a random source`);
  }
  return [...faults, ...guessable(vars)];
}

const vendorKeys = [
  'OPENAI_API_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'PINECONE_API_KEY',
  'SPEECH_API_KEY',
  'SLACK_SIGNING_SECRET',
  'TURNSTILE_SECRET_KEY',
];

/**
 * Returns the password of a URL in lower case, or an empty string if it has none, as with certificates or a password
 * file.
 */
function passwordOf(url = ''): string {
  const [, written = ''] = /^[^/]+\/\/[^/@:]*:([^/@]*)@/.exec(url) ?? /[?&]password=([^&#]*)/.exec(url) ?? [];
  return decoded(written).toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Default passwords of examples, of this documentation and of container images. Other database passwords may be short,
 * because only someone who can reach the server can try them.
 */
const wellKnown = new Set([
  'postgres',
  'service',
  'root',
  'admin',
  'user',
  'test',
  'mongo',
  'guest',
  'pass',
  'one',
  'another',
]);

const isWellKnown = (password: string): boolean =>
  wellKnown.has(password) || isPlaceholder(password) || wordsOfSecrets.test(password) || /^\d{1,8}$/.test(password);

function guessable(vars: Variables): string[] {
  const secretsOf = (name: string) => (vars[name] ?? '').split(',').map((secret) => secret.trim());
  const faults = ['AUTH_SECRET', 'ENCRYPTION_KEYS']
    .filter((name) => vars[name] && secretsOf(name).some(isGuessable))
    .map((name) => `${name}: can be guessed; use ${required[name]}`);
  // Vendors generate these secrets with enough entropy. A guessable one would let an attacker forge requests of the
  // vendor.
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'SLACK_SIGNING_SECRET']) {
    const secret = vars[name];
    if (secret && !isPlaceholder(secret) && (secret.length < minVendorCharacters || isMonotonous(secret, 8, 12)))
      faults.push(`${name}: can be guessed; use the one that the vendor shows`);
  }
  const encryption = new Set(secretsOf('ENCRYPTION_KEYS').filter(Boolean));
  if (secretsOf('AUTH_SECRET').some((secret) => encryption.has(secret)))
    faults.push('ENCRYPTION_KEYS: must not hold a secret of AUTH_SECRET; use two that are independent');
  return faults;
}

const minVendorCharacters = 16;
/**
 * 128 random bits contain more distinct characters than this in any usual alphabet; a word written three times does
 * not.
 */
const minDistinctCharacters = 10;
const minDistinctPairs = 20;
const words =
  /change.?(me|this|it)|replace.?(me|this|with)|placeholder|example|your.?(api|own|secret|key)|dummy|insecure/i;
const wordsOfSecrets = /password|passw0rd|secret|default|qwerty|letmein|0123456789|abcdefgh/i;

const isPlaceholder = (key: string): boolean => words.test(key) || key.includes('...') || key.includes('…');

/** Applies only to secrets that are long enough; shorter ones are rejected in every profile. */
const isGuessable = (secret: string): boolean =>
  secret.length >= minSecretCharacters &&
  (isPlaceholder(secret) ||
    wordsOfSecrets.test(secret) ||
    isMonotonous(secret, minDistinctCharacters, minDistinctPairs));

function isMonotonous(secret: string, minCharacters: number, minPairs: number): boolean {
  const pairs = new Set(Array.from({ length: secret.length - 1 }, (_, at) => secret.slice(at, at + 2)));
  return new Set(secret).size < minCharacters || pairs.size < minPairs;
}
