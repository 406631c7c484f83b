import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { processClock } from '../support/clock.ts';
import { startDiscordSimulator } from '../../src/simulators/discord.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { startSlackSimulator } from '../../src/simulators/slack.ts';
import { startStripeSimulator } from '../../src/simulators/stripe.ts';
import { createMemoryStore } from '../../src/simulators/stripe/store.ts';
import { startTelegramSimulator } from '../../src/simulators/telegram.ts';
import { trustedAuthority } from '../support/webhook-receiver.ts';

const log = pino({ level: 'silent' });
/** Slow enough that some replies are always running when an instance stops. */
const wordDelayMs = 30;

/** All vendors of the service, in this process: they outlive the instances. */
export type Vendors = Awaited<ReturnType<typeof startVendors>>;

/** `instanceUrl`: the current address of the service for vendors that call it. */
export async function startVendors(folder: string, instanceUrl: () => string) {
  const model = await startOpenAiSimulator({ log, wordDelayMs, keepRequests: 1 });
  const webhookSecret = `whsec_${randomUUID()}`;
  const signingSecret = randomUUID();
  const bills = createMemoryStore();
  const stripe = await startStripeSimulator({
    log,
    clock: processClock,
    store: bills,
    pagesUrl: 'http://stripe.example',
    webhookSecret,
    send: async (body, signature) => {
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      const url = `${instanceUrl()}/processor/events`;
      return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })).ok;
    },
  });
  const eventsUrl = () => `${instanceUrl()}/platforms/chat_workspace/events`;
  const slack = await startSlackSimulator({ signingSecret, eventsUrl });
  const discord = await startDiscordSimulator();
  const telegram = await startTelegramSimulator();
  const { ca } = await trustedAuthority();
  await writeFile(join(folder, 'ca.pem'), ca);
  return {
    stripe,
    bills,
    chats: { chat_server: discord, chat_messenger: telegram, chat_workspace: slack },
    /** Pays a checkout session on the processor's page. */
    pay: (sessionId: string) => stripe.page({ method: 'POST', path: `/checkout/${sessionId}`, form: { card: 'good' } }),
    env: {
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      OPENAI_API_KEY: 'soak',
      OPENAI_BASE_URL: model.baseUrl,
      STRIPE_API_BASE: stripe.apiBase,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      CHAT_PLATFORMS: 'live',
      SLACK_SIGNING_SECRET: signingSecret,
      CHAT_SERVER_API_BASE: discord.apiBase,
      CHAT_MESSENGER_API_BASE: telegram.apiBase,
      CHAT_WORKSPACE_API_BASE: slack.apiBase,
    },
    stop: () => Promise.all([model.stop(), stripe.stop(), slack.stop(), discord.stop(), telegram.stop()]),
  };
}
