import { leastSecretCharacters } from './environment.ts';
import { standInKeys } from './stand-in-keys.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What takes the place of a thing that the embedded profile has of its own or makes up. */
const required: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://user:password@host:5432/database, a server of your own instead of the embedded one',
  AUTH_SECRET: '32 characters or more from a random source, such as "openssl rand -base64 32"',
  ENCRYPTION_KEYS: '32 characters or more from a random source, such as "openssl rand -base64 32"',
  PUBLIC_URL: 'the https:// address at which users reach the service',
  OPENAI_API_KEY: 'the key of the model provider, instead of the stand-in',
  STRIPE_SECRET_KEY: 'the key of the Stripe account, instead of the stand-in',
  SMTP_URL: 'smtp:// or smtps:// of a mail server, instead of the outbox that nobody reads',
  FILES_URL: 's3://bucket/prefix, or file:///folder on a volume that every instance shares and that is backed up',
};

/** Why the production profile does not start with these variables, all of it: nothing embedded, nothing generated, nothing that can be guessed. */
export function faultsInProduction(vars: Variables): string[] {
  const faults = Object.entries(required)
    .filter(([name]) => !vars[name])
    .map(([name, allowed]) => `${name}: is required in the production profile: ${allowed}`);
  if (vars['CHAT_PLATFORMS'] === 'simulated') faults.push('CHAT_PLATFORMS: must be live in the production profile');
  if (vars['PUBLIC_URL']?.startsWith('http:'))
    faults.push('PUBLIC_URL: must start with https:// in the production profile; TLS may end at the proxy in front');
  for (const name of ['OPENAI_API_KEY', 'STRIPE_SECRET_KEY', 'PINECONE_API_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    if (standInKeys.has(vars[name] ?? '') || isPlaceholder(vars[name] ?? ''))
      faults.push(
        `${name}: must be a key of your own account in the production profile, not one that stands for another`,
      );
  }
  return [...faults, ...guessable(vars)];
}

function guessable(vars: Variables): string[] {
  const secretsOf = (name: string) => (vars[name] ?? '').split(',').map((secret) => secret.trim());
  const faults = ['AUTH_SECRET', 'ENCRYPTION_KEYS']
    .filter((name) => vars[name] && secretsOf(name).some(isGuessable))
    .map((name) => `${name}: can be guessed; use ${required[name]}`);
  const encryption = new Set(secretsOf('ENCRYPTION_KEYS').filter(Boolean));
  if (secretsOf('AUTH_SECRET').some((secret) => encryption.has(secret)))
    faults.push('ENCRYPTION_KEYS: must not hold a secret of AUTH_SECRET; use two that are independent');
  return faults;
}

/** 128 random bits have more in any usual alphabet; a word written three times has not. */
const leastDistinctCharacters = 10;
const leastDistinctPairs = 20;
const words =
  /change.?(me|this|it)|replace.?(me|this|with)|placeholder|example|your.?(api|own|secret|key)|dummy|insecure/i;
const wordsOfSecrets = /password|passw0rd|secret|default|qwerty|letmein|0123456789|abcdefgh/i;

const isPlaceholder = (key: string): boolean => words.test(key) || key.includes('...') || key.includes('…');

/** Of a secret that is long enough; short ones are refused in every profile. */
function isGuessable(secret: string): boolean {
  if (secret.length < leastSecretCharacters) return false;
  const pairs = new Set(Array.from({ length: secret.length - 1 }, (_, at) => secret.slice(at, at + 2)));
  return (
    isPlaceholder(secret) ||
    wordsOfSecrets.test(secret) ||
    new Set(secret).size < leastDistinctCharacters ||
    pairs.size < leastDistinctPairs
  );
}
