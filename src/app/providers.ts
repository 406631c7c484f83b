import type { Ports } from '../core/ctx.ts';
import type { Config } from '../core/config/config.ts';
import { randomToken } from '../core/crypto.ts';
import type { ProcessorPage } from '../http/dev/processor.ts';
import type { SimulatedPlatforms } from '../integrations/simulation.ts';
import { createTurnstile } from '../providers/cloudflare/turnstile.ts';
import { openFileStore } from '../providers/files/file-store.ts';
import { createOpenAiContentCheck } from '../providers/openai/content-check.ts';
import { createOpenAiEmbedder } from '../providers/openai/embedder.ts';
import { createOpenAiImageGenerator } from '../providers/openai/image-generator.ts';
import { createOpenAiLanguageModel } from '../providers/openai/language-model.ts';
import { createOpenAiSpeech } from '../providers/openai/speech.ts';
import { createOpenAiTranscriber } from '../providers/openai/transcriber.ts';
import { createPineconeVectors } from '../providers/pinecone/vector-store.ts';
import { createPostgresVectors } from '../providers/postgres-vectors/vector-store.ts';
import { checkPrices } from '../providers/stripe/check-prices.ts';
import { createStripePayments } from '../providers/stripe/payments.ts';
import { simulatorKey } from '../core/simulator-keys.ts';
import { connectChatPlatforms } from './chat-platforms.ts';
import type { Lifecycle } from './lifecycle.ts';
import { simulateOpenAi, simulateStripe, simulateTurnstile, type SimulatorOptions } from './simulators.ts';

/** Ports to vendors, and the parts of their simulators that the development routes use. */
export interface Providers {
  ports: Pick<
    Ports,
    | 'payments'
    | 'mail'
    | 'files'
    | 'languageModel'
    | 'speech'
    | 'transcriber'
    | 'embedder'
    | 'vectors'
    | 'platforms'
    | 'contentCheck'
    | 'imageGenerator'
    | 'humanCheck'
  >;
  processorPage: ProcessorPage | null;
  simulatedPlatforms: SimulatedPlatforms | null;
}

/**
 * Connects all vendors through their SDKs. In the embedded profile a vendor without a key is simulated.
 * @throws StartError
 */
export async function connectProviders(options: SimulatorOptions): Promise<Providers> {
  const { config, database, lifecycle } = options;
  const openAi = await openAiProvider(options);
  const processor = await paymentProcessor(options);
  const chat = await connectChatPlatforms(options);
  const { pinecone, embedding, embeddings } = config.knowledge;
  return {
    ports: {
      payments: processor.payments,
      mail: await mailServer(config, lifecycle),
      files: await openFileStore(config.filesUrl, options.log),
      ...modelPorts(config, openAi),
      embedder:
        embeddings === 'local' ? await localEmbedder(lifecycle) : createOpenAiEmbedder({ ...openAi, ...embedding }),
      vectors: pinecone ? createPineconeVectors(pinecone) : createPostgresVectors({ sql: database.sql }),
      platforms: chat.platforms,
      humanCheck: createTurnstile({
        verifyUrl: config.embeds.simulatesTurnstile ? await simulateTurnstile(options) : null,
      }),
    },
    processorPage: processor.page,
    simulatedPlatforms: chat.simulated,
  };
}

async function localEmbedder(lifecycle: Lifecycle): Promise<Ports['embedder']> {
  const { createLocalEmbedder } = await import('../providers/local-embeddings/embedder.ts');
  const embedder = createLocalEmbedder();
  lifecycle.onStop('local embeddings', () => embedder.stop());
  return embedder;
}

const openAiProvider = async (options: SimulatorOptions) => {
  const { apiKey, baseUrl } = options.config.openai;
  return apiKey ? { apiKey, baseUrl } : simulateOpenAi(options);
};

function modelPorts(
  { openai, voice, images, moderation }: Config,
  provider: { apiKey: string; baseUrl: string | null },
) {
  const { firstDeltaTimeoutMs, idleTimeoutMs, textTimeoutMs } = openai;
  return {
    languageModel: createOpenAiLanguageModel({ ...provider, firstDeltaTimeoutMs, idleTimeoutMs, textTimeoutMs }),
    speech: createOpenAiSpeech({
      ...(voice.speechProvider ?? provider),
      model: voice.speechModel,
      firstByteTimeoutMs: firstDeltaTimeoutMs,
      idleTimeoutMs,
    }),
    transcriber: createOpenAiTranscriber({
      ...provider,
      model: voice.transcriptionModel,
      answerTimeoutMs: firstDeltaTimeoutMs + idleTimeoutMs,
    }),
    contentCheck: createOpenAiContentCheck({ ...provider, model: moderation.model }),
    imageGenerator: createOpenAiImageGenerator({ ...provider, model: images.model, timeoutMs: images.timeoutMs }),
  };
}

/**
 * Connects to Stripe, or starts its simulator when neither a key nor an API base is configured.
 * @throws StartError when prices are missing
 */
async function paymentProcessor(options: SimulatorOptions): Promise<{
  payments: Ports['payments'];
  page: ProcessorPage | null;
}> {
  const { config, clock, log } = options;
  const { secretKey, apiBase, prices, webhookSecret } = config.stripe;
  if (!secretKey && !apiBase) {
    const simulation = await simulateStripe(options);
    return { payments: createStripePayments(simulation.options), page: simulation.page };
  }
  const stripe = {
    secretKey: secretKey ?? simulatorKey.stripe,
    webhookSecret: webhookSecret ?? `whsec_${randomToken()}`,
    apiBase,
    prices: prices ?? (await import('../simulators/stripe/catalog.ts')).simulatedPrices,
    clock,
  };
  await checkPrices(stripe, stripe.prices, log);
  return { payments: createStripePayments(stripe), page: null };
}

/** Returns the mail server of `SMTP_URL`, or null when there is none: mails are then stored in the outbox. */
async function mailServer({ mail }: Config, lifecycle: Lifecycle) {
  if (!mail.smtpUrl) return null;
  // Imported only when configured, because the mailer takes 30 MB.
  const { createSmtpServer } = await import('../providers/mail/smtp.ts');
  const server = createSmtpServer({ url: mail.smtpUrl, from: mail.from });
  lifecycle.onStop('mail server', () => server.close());
  return server;
}
