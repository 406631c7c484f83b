import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { jobs } from '../jobs/jobs.ts';
import { createWorker } from '../jobs/worker.ts';
import { createServer } from '../rest/server.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { User } from './accounts/user.entity.ts';
import { Session } from './accounts/session.entity.ts';
import { Agent } from './agents/agent.entity.ts';
import { ApiKey } from './api-keys/api-key.entity.ts';
import { Conversation } from './conversations/conversation.entity.ts';
import { Generation } from './conversations/generation.entity.ts';
import { Message } from './conversations/message.entity.ts';
import { accountParts } from './app/account-parts.ts';
import { startChatPlatforms } from './app/chat-platforms.ts';
import { observedJobs } from './app/observed-jobs.ts';
import type { Actor } from './core/actor.ts';
import { type Clock, systemClock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { randomToken } from './core/crypto.ts';
import type { Ctx, Ports } from './core/ctx.ts';
import { connectDatabase, type Database, requireDatabase } from './core/database.ts';
import { startEmbeddedPostgres } from './core/embedded-postgres.ts';
import { migrate } from './core/migrate.ts';
import { createRateLimits, type RateLimits } from './core/rate-limits.ts';
import type { Telemetry } from './core/telemetry.ts';
import { standInKey } from './core/stand-in-keys.ts';
import { createFairQueue } from './conversations/fair-queue.ts';
import { startHeartbeat } from './conversations/instances.ts';
import { createLiveGenerations } from './conversations/live-generations.ts';
import { createConnections } from './integrations/connections.ts';
import { Integration } from './integrations/integration.entity.ts';
import { openFileStore } from './providers/files/file-store.ts';
import { createOpenAiEmbedder } from './providers/openai/embedder.ts';
import { createOpenAiLanguageModel } from './providers/openai/language-model.ts';
import { createPineconeVectors } from './providers/pinecone/vector-store.ts';
import { createPostgresVectors } from './providers/postgres-vectors/vector-store.ts';
import { checkPrices } from './providers/stripe/check-prices.ts';
import { createStripePayments } from './providers/stripe/payments.ts';
import { createOpenAiSpeech } from './providers/openai/speech.ts';
import { createOpenAiTranscriber } from './providers/openai/transcriber.ts';
import { startOpenAiStandIn } from './standins/openai.ts';
import { findEspeak } from './standins/openai/espeak.ts';
import { Webhook } from './webhooks/webhook.entity.ts';
import { createWebhookDispatcher } from './webhooks/webhook-dispatcher.ts';
import { startStripeStandIn } from './standins/stripe.ts';
import { standInPrices } from './standins/stripe/catalog.ts';
import type { PageRequest } from './standins/stripe/pages.ts';
import { createPostgresStore } from './standins/stripe/store.ts';

export interface App {
  server: FastifyInstance;
  /** A Ctx of its own for one piece of work. */
  newCtx(actor: Actor, requestId?: string): Ctx;
  /** Takes no new work, lets replies finish for a while, then stops everything. */
  close(): Promise<void>;
}

/** What tests put in the place of the real thing, and what is there only when it is wanted. */
export interface AppOverrides {
  clock?: Clock;
  rateLimits?: RateLimits;
  telemetry?: Telemetry | undefined;
}

/** Every entity that MikroORM maps. */
export const entities = [User, Session, ApiKey, Agent, Conversation, Message, Generation, Integration, Webhook];

const poolSize = 20;
const drainMs = 20_000;
const lateDrainMs = 5_000;
const standInWordDelayMs = 15;
const standInRequestsKept = 20;

/** Runs `stops` in reverse order, each once, whatever the others do. */
type Stops = (() => Promise<void> | void)[];

/**
 * Builds the service from its configuration: the database and its schema, the ports, the jobs and the server, which does
 * not listen yet. What was started is stopped again when a later part fails.
 */
export async function createApp(config: Config, log: Logger, overrides: AppOverrides = {}): Promise<App> {
  const stops: Stops = [];
  try {
    return await build(config, log, overrides, stops);
  } catch (error) {
    await stopAll(stops, log);
    throw error;
  }
}

async function build(config: Config, log: Logger, overrides: AppOverrides, stops: Stops): Promise<App> {
  const { clock = systemClock, telemetry } = overrides;
  const postgres = await startDatabase(config, log);
  const databaseUrl = postgres.url;
  stops.push(() => postgres.stop());
  await migrate(databaseUrl, log);
  const database = await connectDatabase({ url: databaseUrl, entities, poolSize });
  stops.push(() => database.close());

  const ports = {} as Ports;
  const newCtx = (actor: Actor, requestId: string = randomUUID()): Ctx => {
    let em: Ctx['em'] | undefined;
    return {
      get em() {
        return (em ??= database.orm.em.fork());
      },
      sql: database.sql,
      pool: database.pool,
      actor,
      clock,
      log,
      requestId,
      config,
      ports,
    };
  };
  const newSystemCtx = () => newCtx({ kind: 'system' });
  const worker = createWorker({
    jobs: telemetry ? observedJobs(jobs, telemetry) : jobs,
    engines: [createWebhookDispatcher({ newCtx: newSystemCtx })],
    databaseUrl,
    mongodbUrl: config.mongodbUrl,
    works: config.role !== 'web',
    newCtx: newSystemCtx,
    log,
  });
  const generations = await startGenerations(database, log, stops);
  const provider = await openAi(config, log, stops);
  const postEvent = async (payload: string, signature: string): Promise<boolean> => {
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    return (await http.inject({ method: 'POST', url: '/processor/events', headers, payload })).statusCode === 200;
  };
  const processor = await startProcessor({ config, clock, log, database, stops, postEvent });
  const connections = createConnections(newSystemCtx, generations.instanceId);
  let localUrl = '';
  const chat = await startChatPlatforms({
    config,
    clock,
    localUrl: () => localUrl,
    onStarted: (stop) => stops.push(stop),
  });
  Object.assign(ports, {
    payments: processor.payments,
    background: newSystemCtx,
    tasks: worker,
    wakes: worker,
    rateLimits: overrides.rateLimits ?? createRateLimits(database.pool),
    generations,
    generationQueue: createFairQueue({
      total: config.generationLimits.perInstance,
      perAccount: config.generationLimits.perAccountAtOnce,
    }),
    ...accountParts,
    mail: await mailServer(config, stops),
    files: await openFileStore(config.filesUrl),
    ...modelPorts(config, provider),
    embedder: createOpenAiEmbedder({ ...provider, ...config.knowledge.embedding }),
    vectors: config.knowledge.pinecone
      ? createPineconeVectors(config.knowledge.pinecone)
      : createPostgresVectors({ sql: database.sql }),
    platforms: chat.platforms,
    connections,
  } satisfies Ports);

  let draining = false;
  const http = await createServer({
    schema: buildGraphqlSchema(),
    newCtx,
    rateLimits: ports.rateLimits,
    health: { database: () => database.pool.query('select 1') },
    isDraining: () => draining,
    ...(processor.page ? { processorPage: processor.page } : {}),
    simulatedPlatforms: chat.simulated,
    ...(telemetry && { telemetry }),
  });
  http.addHook('onListen', async () => {
    localUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  });
  stops.push(() => http.close());
  worker.start();
  if (config.role !== 'web') connections.start();
  stops.push(() => worker.stop(drainMs));
  stops.push(async () => {
    draining = true;
    // Until the proxy has seen it, requests still come.
    await Promise.all([sleep(config.drainMs), generations.drain(drainMs)]);
    await generations.drain(lateDrainMs);
  });
  // First of all, so that another worker takes the connections over at once.
  stops.push(() => connections.stop());
  return { server: http, newCtx, close: () => stopAll(stops, log) };
}

/** The database that is configured, or the embedded server, started here. @throws StartError when there is none to be had */
export async function startDatabase(config: Config, log: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  if (!config.databaseUrl) return startEmbeddedPostgres({ dataDir: config.dataDir, log });
  await requireDatabase(config.databaseUrl);
  return { url: config.databaseUrl, stop: async () => undefined };
}

async function startGenerations(database: Database, log: Logger, stops: Stops) {
  const { sql } = database;
  const generations = createLiveGenerations(randomUUID(), sql, log);
  const isLive = (id: string) => generations.find(id) !== undefined;
  const heartbeat = await startHeartbeat({ instanceId: generations.instanceId, sql, log, isLive });
  stops.push(() => {
    generations.close();
    return heartbeat.stop();
  });
  return generations;
}

/** The mail server of `SMTP_URL`; `null` without one, then mails go to the outbox. */
async function mailServer({ mail }: Config, stops: Stops) {
  if (!mail.smtpUrl) return null;
  // Loaded where it is configured: the mailer takes 30 MB.
  const { createSmtpServer } = await import('./providers/mail/smtp.ts');
  const server = createSmtpServer({ url: mail.smtpUrl, from: mail.from });
  stops.push(() => server.close());
  return server;
}

function modelPorts({ openai, voice }: Config, provider: { apiKey: string; baseUrl: string | null }) {
  const { firstDeltaTimeoutMs, idleTimeoutMs } = openai;
  return {
    languageModel: createOpenAiLanguageModel({ ...provider, firstDeltaTimeoutMs, idleTimeoutMs }),
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
  };
}

/** The provider, or without a key the stand-in, which speaks the same protocol on loopback. */
async function openAi({ openai }: Config, log: Logger, stops: Stops) {
  if (openai.apiKey) return { apiKey: openai.apiKey, baseUrl: openai.baseUrl };
  const standIn = await startOpenAiStandIn({
    log,
    wordDelayMs: standInWordDelayMs,
    keepRequests: standInRequestsKept,
    synthesizer: findEspeak() ?? undefined,
  });
  stops.push(() => standIn.stop());
  return { apiKey: standInKey.openai, baseUrl: standIn.baseUrl };
}

interface ProcessorParts {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  stops: Stops;
  postEvent: (body: string, signature: string) => Promise<boolean>;
}

/** Stripe, or without a key and an address of its own the stand-in and its pages. @throws StartError when prices are missing */
async function startProcessor({ config, clock, log, database, stops, postEvent }: ProcessorParts) {
  const { secretKey, apiBase, prices, webhookSecret } = config.stripe;
  const options = {
    secretKey: secretKey ?? standInKey.stripe,
    webhookSecret: webhookSecret ?? `whsec_${randomToken()}`,
  };
  if (secretKey || apiBase) {
    const remote = { ...options, apiBase, prices: prices ?? standInPrices, clock };
    await checkPrices(remote, remote.prices, log);
    return { payments: createStripePayments(remote), page: null };
  }
  const standIn = await startStripeStandIn({
    log,
    clock,
    store: await createPostgresStore(database.pool),
    pagesUrl: `${config.publicUrl}/dev/processor`,
    webhookSecret: options.webhookSecret,
    send: postEvent,
  });
  stops.push(() => standIn.stop());
  const payments = createStripePayments({ ...options, apiBase: standIn.apiBase, prices: standIn.prices, clock });
  return { payments, page: (request: PageRequest) => standIn.page(request) };
}

async function stopAll(stops: Stops, log: Logger): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error }, 'a part of the service did not stop cleanly');
    }
  }
}
