import { randomBytes } from 'node:crypto';

const price = { month: 'price_m', year: 'price_y' };

/** Settings that the production profile accepts. */
export const productionEnv = (): Record<string, string> => ({
  PROFILE: 'production',
  DATABASE_URL: 'postgres://service:hunter2@db.internal:5432/service',
  AUTH_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
  PUBLIC_URL: 'https://chat.acme.net',
  OPENAI_API_KEY: 'sk-proj-4fJ2mNq8Zt1xKd',
  STRIPE_SECRET_KEY: 'sk_live_51HcQe9Rr0',
  STRIPE_WEBHOOK_SECRET: 'whsec_Yk83nGqPz1vTbD6w',
  STRIPE_PRICES: JSON.stringify({ plus: price, pro: price, creator: price }),
  SMTP_URL: 'smtps://mail.acme.net',
  FILES_URL: 's3://acme-files/chat',
});
