import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config/config.ts';
import { randomToken } from '../core/crypto.ts';
import type { Database } from '../core/database/database.ts';
import { simulatorKey } from '../core/simulator-keys.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import type { PageRequest } from '../simulators/stripe/pages.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from 'pino';

/** Dependencies of simulators. A simulator is imported only when it is started; production never imports one. */
export interface SimulatorOptions {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  lifecycle: Lifecycle;
  /** Delivers an event of the payment processor to this process. Returns whether it was accepted. */
  postProcessorEvent: (body: string, signature: string) => Promise<boolean>;
  /** Returns the loopback URL of this process once it listens. */
  localUrl: () => string;
}

const wordDelayMs = 15;
const requestsKept = 20;

/** Starts the simulator of the model provider. Returns the key and URL for the provider's SDK. */
export async function simulateOpenAi({ log, lifecycle }: SimulatorOptions) {
  const [{ startOpenAiSimulator }, { findEspeak }] = await Promise.all([
    import('../simulators/openai.ts'),
    import('../simulators/openai/espeak.ts'),
  ]);
  const synthesizer = findEspeak() ?? undefined;
  const simulator = await startOpenAiSimulator({ log, wordDelayMs, keepRequests: requestsKept, synthesizer });
  lifecycle.onStop('simulated model provider', () => simulator.stop());
  return { apiKey: simulatorKey.openai, baseUrl: simulator.baseUrl };
}

/**
 * Starts the simulator of Stripe. Returns the options with which the payment provider reaches it, and the pages that it
 * serves.
 */
export async function simulateStripe({
  config,
  clock,
  log,
  database,
  lifecycle,
  postProcessorEvent,
}: SimulatorOptions) {
  const [{ startStripeSimulator }, { createPostgresStore }] = await Promise.all([
    import('../simulators/stripe.ts'),
    import('../simulators/stripe/store.ts'),
  ]);
  const webhookSecret = config.stripe.webhookSecret ?? `whsec_${randomToken()}`;
  const simulator = await startStripeSimulator({
    log,
    clock,
    store: createPostgresStore(database.pool),
    pagesUrl: `${config.publicUrl}/dev/processor`,
    webhookSecret,
    send: postProcessorEvent,
  });
  lifecycle.onStop('simulated Stripe', () => simulator.stop());
  const { apiBase, prices } = simulator;
  const options = { secretKey: config.stripe.secretKey ?? simulatorKey.stripe, webhookSecret, apiBase, prices, clock };
  return { options, page: (request: PageRequest) => simulator.page(request) };
}

/**
 * Starts the simulators of the three chat platforms. Also returns the secret that signs requests of the workspace
 * platform.
 */
export async function simulatePlatforms({ config, lifecycle, localUrl }: SimulatorOptions) {
  const [{ startDiscordSimulator }, { startTelegramSimulator }, { startSlackSimulator }] = await Promise.all([
    import('../simulators/discord.ts'),
    import('../simulators/telegram.ts'),
    import('../simulators/slack.ts'),
  ]);
  // Random, so that without a configured secret the service trusts only its own simulator.
  const signingSecret = config.platforms.signingSecret ?? randomBytes(24).toString('hex');
  const discord = await startDiscordSimulator();
  lifecycle.onStop('simulated Discord', () => discord.stop());
  const telegram = await startTelegramSimulator();
  lifecycle.onStop('simulated Telegram', () => telegram.stop());
  const slack = await startSlackSimulator({
    signingSecret,
    eventsUrl: () => `${localUrl()}/platforms/chat_workspace/events`,
  });
  lifecycle.onStop('simulated Slack', () => slack.stop());
  const platforms = { chat_server: discord, chat_messenger: telegram, chat_workspace: slack };
  return { signingSecret, platforms: platforms satisfies SimulatedPlatforms };
}

/** Starts the simulator of Turnstile. Returns the URL at which it verifies tokens. */
export async function simulateTurnstile({ lifecycle }: SimulatorOptions): Promise<string> {
  const { startTurnstileSimulator } = await import('../simulators/turnstile.ts');
  const simulator = await startTurnstileSimulator();
  lifecycle.onStop('simulated Turnstile', () => simulator.stop());
  return simulator.verifyUrl;
}
